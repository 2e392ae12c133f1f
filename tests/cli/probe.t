# probe on wrong command lines, and for real; what it finds is the machine's.
$ retstack probe
! retstack probe: probe needs to know what; there is: depth
!~ Try `retstack probe --help' .*
!...
? 2

$ retstack probe width
! retstack probe: cannot probe 'width'; there is: depth
!~ Try `retstack probe --help' .*
!...
? 2

$ retstack probe depth depth
! retstack probe: probe takes one word; there is: depth
!~ Try `retstack probe --help' .*
!...
? 2

$ for n in 0 65 x ""; do retstack probe depth -p "$n" 2>&1 | head -n 1; done
> retstack probe: --processes takes a number from 1 to 64, not '0'
> retstack probe: --processes takes a number from 1 to 64, not '65'
> retstack probe: --processes takes a number from 1 to 64, not 'x'
> retstack probe: --processes takes a number from 1 to 64, not ''

$ retstack probe depth --csv nowhere/x.csv
!~ retstack: cannot create 'nowhere/x.csv': .*
? 2

# One process is never clear, so its entries are absent; its curves are dumped whole.
$ retstack probe depth -p 1 -f csv --csv dump.csv | cut -d, -f1-6
> probe,sites,entries,low,high,processes
> depth,random,,,,1
> depth,fixed,,,,1
> depth,recursion,,,,1

$ cut -d, -f3,4 dump.csv | sort | uniq -c
>      68 probe.depth,fixed
>      68 probe.depth,random
>      68 probe.depth,recursion
>       1 workload,variant

$ retstack report dump.csv | grep -c 'over the enclosing frames</title>'
> 1
