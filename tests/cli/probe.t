# probe on wrong command lines, and for real; what it finds is the machine's.
$ retstack probe
! retstack probe: probe needs to know what; there are: depth, forms, policy, penalty
!~ Try `retstack probe --help' .*
!...
? 2

$ retstack probe width
! retstack probe: cannot probe 'width'; there are: depth, forms, policy, penalty
!~ Try `retstack probe --help' .*
!...
? 2

$ retstack probe depth depth
! retstack probe: probe takes one word; there are: depth, forms, policy, penalty
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

# A reading a level and event: ns and ticks, and the two that may not be counted.
$ cut -d, -f3,4 dump.csv | sort | uniq -c
>     272 probe.depth,fixed
>     272 probe.depth,random
>     272 probe.depth,recursion
>       1 workload,variant

$ retstack report dump.csv | grep -c 'over the enclosing frames</title>'
> 1

# Counters and clocks that are played: 12 entries, 20 ticks and 10 cycles a mispredict.
$ { printf '%s\n' 'retstack-replay 1' 'host pmu cpu' \
    'host cpu_identity AuthenticAMD-15-5/cpu' 'host pfm_pmu amd64_k8_revf'; \
    for n in $(seq 128); do over=$((n > 12 ? n - 12 : 0)); \
    for sites in random fixed recursion; do \
    echo "read probe.depth/$sites/$n/* ticks $((50 + 5 * n + 20 * over))"; \
    echo "read probe.depth/$sites/$n/* cycles $((30 + 4 * n + 10 * over))"; \
    echo "read probe.depth/$sites/$n/* return-misses $over"; done; done; } >played

$ retstack probe depth --replay played -f csv -p 3 | head -n 1 | cut -d, -f10-
> verdict,cycles_below,cycles_above,mispredicts_below,mispredicts_above,preset,preset_entries,match

$ retstack probe depth --replay played -f csv -p 3 | tail -n 3
> depth,random,12,12,12,3,3,5.0,25.0,"12 entries (95 %: 12..12, 3 of 3 processes)",4.0,14.0,0.00,1.00,k8,12,matches
> depth,fixed,,12,12,3,3,5.0,25.0,"bends at 12 (95 %: 12..12, 3 of 3 processes)",4.0,14.0,0.00,1.00,,,
> depth,recursion,,12,12,3,3,5.0,25.0,"bends at 12 (95 %: 12..12, 3 of 3 processes)",4.0,14.0,0.00,1.00,,,

# The same without a PMU: what is not counted is absent, not 0.
$ grep -v 'return-misses\|cycles' played >clocks; \
    printf 'open cycles ENOENT\nopen return-misses ENOENT\n' >>clocks; \
    retstack probe depth --replay clocks -f csv -p 3 | sed -n '2s/.*)",//p'
> ,,,,k8,12,matches

# Forms: lea costs 9, every frame 5 more; call+0 as much, call+4 a mispredict a frame.
$ { printf '%s\n' 'retstack-replay 1' 'open cycles ENOENT' \
    'open return-misses ENOENT'; for k in $(seq 8); do \
    for form in getpc/lea getpc/call+0 getpc/thunk profile/none; do \
    echo "read $form/$k/* ticks $((9 + 5 * k))"; done; \
    for form in getpc/call+4 getpc/call+8 profile/inline; do \
    echo "read $form/$k/* ticks $((9 + 25 * k))"; \
    echo "read $form/$k/* ns $((90 + 10 * k))"; done; done; } >forms

$ test "$(uname -m)" != x86_64 || retstack probe forms --replay forms -p 3 -f csv | \
    cut -d, -f3,4,12 | tr '\n' ' '
>~ form,expected,found lea,, call\+0,exempt,exempt call\+4,pushed,pushed call\+8,pushed,pushed thunk,pushed,pushed 

# Two processes are never enough, and what nothing costs is no mispredict.
$ test "$(uname -m)" != x86_64 || retstack probe forms --replay forms -p 2 -f csv | \
    grep -c 'unclear: 2 of the 3 processes'
> 4

$ sed 's/25 /5 /; s/ ticks .*/ ticks 50/' forms >flat; \
    test "$(uname -m)" != x86_64 || retstack probe forms --replay flat -p 3 -f csv | \
    grep -c 'unclear: no form costs a mispredict'
> 4

$ test "$(uname -m)" != x86_64 || retstack probe penalty --replay forms -p 3 -f csv | \
    grep 'call+4,ticks'
> penalty,getpc,call+4,ticks,20.0,20.0,20.0,3,1.00,model,20.0 ticks (95 %: 20.0..20.0)

$ retstack probe depth --replay missing
! retstack: cannot read replay file missing: No such file or directory
? 2
