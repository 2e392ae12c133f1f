# Bad input to list and doctor.
$ retstack list
! retstack: list needs to know what to show: workloads variants events pmus vdso presets
? 2

$ retstack list ""
! retstack: list knows no ''; it shows workloads variants events pmus vdso presets
? 2

$ retstack list $(printf '%04096d' 0)
!~ retstack: list knows no '0{57,60}\.\.\.'; it shows workloads .*
? 2

$ retstack list workloads variants
! retstack list: list shows one thing at a time, but got 'variants' too
!~ Try `retstack list --help' .*
? 2

$ retstack list -f xml workloads
!~ retstack list: unknown format 'xml'; there are text csv json
!~ Try `retstack list --help' .*
? 2

$ retstack list -f summary-csv workloads
! retstack list: unknown format 'summary-csv'; there are text csv json
!~ Try `retstack list --help' .*
? 2

$ retstack list -c 65535 events
!~ retstack: cpu 65535 is not in the allowed set \S+ of this process; choose one of .*
? 2

$ for cpu in "" -1 x 65536 1e1; do retstack list --cpu="$cpu" events 2>&1 | head -n 1; done
> retstack list: --cpu takes a CPU's number, not ''
> retstack list: --cpu takes a CPU's number, not '-1'
> retstack list: --cpu takes a CPU's number, not 'x'
> retstack list: --cpu takes a CPU's number, not '65536'
> retstack list: --cpu takes a CPU's number, not '1e1'

$ retstack list --data= events
! retstack list: --data is given an empty text
!~ Try `retstack list --help' .*
? 2

$ retstack list --data missing events
! retstack: cannot list missing/alias: No such file or directory
? 2

$ mkdir -p d/alias; printf '\n[x\n' >d/alias/x.ini; retstack list --data d events
!~ retstack: d/alias/x.ini line 2: .+
? 2

$ retstack list --data missing presets
! retstack: cannot read the presets in missing/predictors.ini: No such file or directory
? 2

$ printf '[x]\nentries = 0\n' >d/predictors.ini; retstack list --data d presets
! retstack: d/predictors.ini line 2: '0' is not a number from 1 to 65536
? 2

$ printf '[x]\nentries = 4\n' >d/predictors.ini; retstack list --data d presets
! retstack: d/predictors.ini: [x] has no 'text =' line
? 2

# doctor; its name makes argp break the hint in two.
$ retstack doctor x
! retstack doctor: doctor takes no argument, but got 'x'
!~ Try `retstack doctor --help' .*
! information.
? 2

$ retstack doctor ""
! retstack doctor: doctor takes no argument, but got ''
!~ Try `retstack doctor --help' .*
! information.
? 2

$ retstack doctor -f xml
!~ retstack doctor: unknown format 'xml'; there are text csv json tap
!~ Try `retstack doctor --help' .*
! information.
? 2

$ retstack doctor -c ""
! retstack doctor: --cpu takes a CPU's number, not ''
!~ Try `retstack doctor --help' .*
! information.
? 2

$ retstack doctor -c 65535
!~ retstack: cpu 65535 is not in the allowed set \S+ of this process; choose one of .*
? 2
