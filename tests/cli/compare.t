# compare on files that are not results, and on results that are.
$ retstack compare
! retstack compare: compare needs two files or more
!~ Try `retstack compare --help' .*
!...
? 2

$ retstack compare a.csv
! retstack compare: compare needs two files or more
!~ Try `retstack compare --help' .*
!...
? 2

$ retstack compare missing.csv missing.csv
! retstack: cannot read missing.csv: No such file or directory
? 2

$ retstack compare . .
! retstack: cannot read .: Is a directory
? 2

$ for t in "" x -1 1e3; do retstack compare -t "$t" a b 2>&1 | head -n 1; done
> retstack compare: --threshold takes per cent from 0 to 1000, not ''
> retstack compare: --threshold takes per cent from 0 to 1000, not 'x'
> retstack compare: --threshold takes per cent from 0 to 1000, not '-1'
> retstack compare: --threshold takes per cent from 0 to 1000, not '1e3'

$ retstack compare --fail-on faster a b
! retstack compare: --fail-on takes slower, different or never, not 'faster'
!~ Try `retstack compare --help' .*
!...
? 2

$ retstack compare -f tap a b
! retstack compare: unknown format 'tap'; there are text csv json
!~ Try `retstack compare --help' .*
!...
? 2

# perf stat appends; ten runs a side are enough for a verdict.
$ for i in 0 1 2 3 4 5 6 7 8 9; do echo "10$i,,cycles,9,100.00,,"; done >base
$ for i in 0 1 2 3 4 5 6 7 8 9; do echo "12$i,,cycles,9,100.00,,"; done >new
$ retstack compare base new
> changes per call; above 0 % is better
>~ workload +variant +depth +metric +base +new +\(base-new\)/base % +from +to .*
>~ perf-stat +run +0 +cycles +104\.50 +124\.50 +-19\.1 +-22\.0 +-16\.3 +0\.0 +slower
> base tells nothing of its machine (only JSON files do): whether it is the same
>   one is not known
> new tells nothing of its machine (only JSON files do): whether it is the same
>   one is not known
? 1

$ retstack compare base new --fail-on different >/dev/null
? 1

$ retstack compare base new --fail-on never >/dev/null
? 0

$ cat new | retstack compare base - -f csv | cut -d, -f 3,4,7,21
> file,workload,metric,verdict
> standard input,perf-stat,cycles,slower

# One sample a side is no ground for a verdict.
$ head -n 1 base >one; retstack compare one one -f csv | cut -d, -f 21
> verdict
> unclear

$ retstack compare one one >/dev/null
? 3

$ retstack compare base new -m instructions
! retstack: base and new have no measured row and metric in common
? 2

# Rows whose calls do something else are not held to each other; a file that does not
# tell is not refused.
$ for bytes in 1024 2048 ''; do printf 'schema,workload,variant,placement,block,calls,event,value,status,block_bytes\n' >b$bytes.csv; \
  for block in 0 1 2 3 4 5; do printf '1,work+clock,rdtsc,0,%s,10,ns,%s,ok,%s\n' $block $((1000 + block)) $bytes >>b$bytes.csv; done; done; \
  retstack compare b1024.csv b2048.csv
! retstack: b1024.csv and b2048.csv have no measured row and metric in common
? 2

$ retstack compare b1024.csv b.csv | grep -c '^work+clock'
> 1
