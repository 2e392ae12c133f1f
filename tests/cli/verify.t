# verify on the live vDSO; gettimeofday is in every one that has a clock.
$ retstack verify gettimeofday
>~ good +gettimeofday order +10000 rounds
>~ good +gettimeofday normalised +10000 rounds
>~ good +gettimeofday forward +10000 rounds
>~ good +gettimeofday migration +\d+ migrations
>~ good +gettimeofday pointers +5 cases
? 0

$ retstack verify -f tap vdso.clock_gettime:monotonic | grep -v SKIP
> TAP version 13
> 1..6
> ok 1 - clock_gettime:monotonic order
> # 10000 rounds
> ok 2 - clock_gettime:monotonic normalised
> # 10000 rounds
> ok 3 - clock_gettime:monotonic forward
> # 10000 rounds
> ok 4 - clock_gettime:monotonic migration
>~ # \d+ migrations
>...
> ok 6 - clock_gettime:monotonic pointers
> # 5 cases

$ retstack verify 'clock_get*:tai' -f csv | cut -d, -f 1 | sed 's/ .*//' | sort -u
> clock_getres:tai
> clock_gettime:tai
> name

$ retstack verify nothing
!~ retstack: .*vdso\.nothing.*
? 2

$ retstack verify ''
! retstack: a selector is empty or too long
? 2

$ retstack verify -f summary-csv
! retstack verify: unknown format 'summary-csv'; there are text csv json tap
!~ Try `retstack verify --help' .*
!...
? 2

# Without a clock, every clock.
$ retstack verify clock_getres -f csv | cut -d, -f 1 | sed 's/ .*//' | sort -u | wc -l
> 12

# The kernel lets getrandom of the vDSO have flags that it refuses itself: no failure.
$ retstack verify getrandom -f csv | cut -d, -f 1,2
> name,state
>~ getrandom (values,good|presence,unknown)
>...

# Every workload of the vDSO is checked, and told of where it is absent.
$ retstack list workloads -f csv | sed -n 's/^vdso\.\([a-z_0-9]*\),.*/\1/p' >names; \
  retstack verify -f csv >checks; test -s names && \
  while read -r name; do grep -q "^$name[: ]" checks || echo "$name"; done <names

$ retstack list vdso | grep 'no workload calls it' | grep -E 'get|time'
? 1
