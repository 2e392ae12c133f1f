skip-unless test -c /dev/full -- /dev/full is missing here

# Files of a run that cannot be written: said once, nothing half-written left behind.
# A bad path fails before anything is measured, and with exit code 2.
$ for option in csv summary-csv json; do \
  retstack run -n 1 -r 1 -p 1 --$option missing/file getpc/lea; echo $?; done
> 2
> 2
> 2
! retstack: cannot create 'missing/file': no such directory (ENOENT); create it first
! retstack: cannot create 'missing/file': no such directory (ENOENT); create it first
! retstack: cannot create 'missing/file': no such directory (ENOENT); create it first

$ mkdir folder; retstack run -n 1 -r 1 -p 1 --csv folder getpc/lea
! retstack: cannot create 'folder': it is a directory (EISDIR); name a file in it
? 2

$ : >file; retstack run -n 1 -r 1 -p 1 --json file/x getpc/lea
!~ retstack: cannot create 'file/x': a part of the path is not a directory \(ENOTDIR\); .*
? 2

$ retstack run -n 1 -r 1 -p 1 --csv $(printf '%04096d' 0) getpc/lea
!~ retstack: cannot create '0{500,511}\.\.\.': the name is too long \(ENAMETOOLONG\); .*
? 2

$ ln -s loop loop; retstack run -n 1 -r 1 -p 1 --csv loop getpc/lea
!~ retstack: cannot create 'loop': too many symbolic links \(ELOOP\); check the links
? 2

# One bad path among good ones: none is written.
$ printf old >good; retstack run -n 1 -r 1 -p 1 --csv good --summary-csv new \
  --json missing/file getpc/lea
! retstack: cannot create 'missing/file': no such directory (ENOENT); create it first
? 2

$ cat good; ls -A
> oldfile
> folder
> good
> loop

# A full disk is found out at the end: the others are whole, and the code is 3.
$ for option in csv summary-csv json; do \
  retstack run -n 1 -r 1 -p 1 --$option /dev/full getpc/lea >table; echo $?; \
  head -n 1 table; done
>~ 3
>~ getpc  below 3 frames  cpu \d+  1 calls? x 1 placements? x 1 blocks?
>~ 3
>~ getpc  below 3 frames .*
>~ 3
>~ getpc  below 3 frames .*
!~ retstack: cannot write '/dev/full': no space left on the device \(ENOSPC\); .*
!~ retstack: cannot write '/dev/full': no space left on the device \(ENOSPC\); .*
!~ retstack: cannot write '/dev/full': no space left on the device \(ENOSPC\); .*

$ retstack run -n 1 -r 1 -p 1 --csv /dev/full --json good getpc/lea >table
!~ retstack: cannot write '/dev/full': no space left on the device \(ENOSPC\); .*
? 3

$ tail -n 1 good
> }

# A file that outgrows its limit: the old one stays.
$ printf old >good; trap "" XFSZ; ulimit -f 1; \
  retstack run -n 1 -r 30 -p 1 --csv good getpc
>...
!~ retstack: cannot write 'good': it would be larger than is allowed \(EFBIG\); .*
? 3

$ cat good; ls -A
> oldfile
> folder
> good
> loop
> table

# Standard output, in every format and of every verb.
$ for format in text csv summary-csv json; do \
  retstack run -n 1 -r 1 -p 1 -f $format getpc/lea >/dev/full; echo $?; done
> 3
> 3
> 3
> 3
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device

$ retstack run -n 1 -r 1 -p 1 --csv - getpc/lea >/dev/full
!~ retstack: cannot write standard output: no space left on the device \(ENOSPC\); .*
? 3

$ for what in workloads variants events pmus vdso presets; do \
  retstack list $what >/dev/full; echo $?; done
> 3
> 3
> 3
> 3
> 3
> 3
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device
! retstack: cannot write to standard output: No space left on device

$ retstack doctor >/dev/full
! retstack: cannot write to standard output: No space left on device
? 3

# A table that is lost does not cost the file.
$ retstack run -n 1 -r 1 -p 1 --json good getpc/lea >/dev/full
! retstack: cannot write to standard output: No space left on device
? 3

$ tail -n 1 good
> }

# A reader that has gone.
$ mkfifo pipe; exec 3<>pipe 4>pipe 3>&-; \
  retstack run -n 1 -r 1 -p 1 getpc/lea >&4; echo $?; \
  retstack run -n 1 -r 1 -p 1 --csv - getpc/lea >&4; echo $?; \
  retstack list variants >&4; echo $?; retstack doctor >&4; echo $?
> 3
> 3
> 3
> 3
! retstack: cannot write to standard output: Broken pipe
!~ retstack: cannot write standard output: its reader closed the pipe \(EPIPE\); .*
! retstack: cannot write to standard output: Broken pipe
! retstack: cannot write to standard output: Broken pipe

# Standard output that was never open: its descriptor must not become a file's.
$ retstack run -n 1 -r 1 -p 1 --csv good getpc/lea >&-
! retstack: cannot write to standard output: Bad file descriptor
? 3

$ cut -d , -f 1-3 good | sort -u | grep -c getpc; head -n 1 good | cut -c 1-15
> 1
> schema,run_id,w

# Through a link the file it names is replaced, and the link stays.
$ ln -s good link; retstack run -n 1 -r 1 -p 1 --json link getpc/lea >table; \
  test -L link && head -n 1 good
> {
