# The lines of well-known benchmarks, exactly; what is not the original on standard error.
$ retstack compat --scale 0.00001 gettimeofday
>~ time = \d+\.\d{6}
! retstack: the loop runs 1000 times, not 100000000 as the original's
! retstack: the lines of the selftests' harness (test, tags, success) are left out

$ retstack compat --scale 0.001 gettimeofday-diff
>~ Iter: 1000 Diff: \d+\.000000 usec
! retstack: the loop runs 1000 times, not 1000000 as the original's

# Where this vDSO has no getrandom, the original ends in a failure, too.
$ retstack compat --scale 0.00004 vdso_test_getrandom bench-single 2>notes || \
  { test $? = 77 && printf '   vdso: absent\n   libc: \nsyscall: \n' && cat notes; }
>~    vdso: (1000 times in \d+\.\d{9} seconds|absent)
>~    libc: (1000 times in \d+\.\d{9} seconds)?
>~ syscall: (1000 times in \d+\.\d{9} seconds)?
>...

$ retstack compat --scale 0.0000004 vdso_test_getrandom bench-multi 2>notes || \
  { test $? = 77 && printf '   vdso: absent\n   libc: \n   syscall: \n' && cat notes; }
>~    vdso: (10 x 256 times in \d+\.\d{9} seconds|absent)
>~    libc: (10 x 256 times in \d+\.\d{9} seconds)?
>~    syscall: (10 x 256 times in \d+\.\d{9} seconds)?
>...

$ retstack compat vdso_test_getrandom fill
! retstack: vdso_test_getrandom takes one argument, bench-single or bench-multi
? 2

# vdsotest says nothing of what is in order.
$ retstack compat vdsotest gettimeofday verify
! retstack: the checks are those of `retstack verify', which take as long as they take
!...

$ retstack compat vdsotest --verbose gettimeofday abi
>~ gettimeofday pointers {50}OK
! retstack: the checks are those of `retstack verify'

$ retstack compat --scale 0.001 vdsotest -d 3 clock-gettime-monotonic bench
>~ clock-gettime-monotonic: syscall: \d+ nsec/call
>~ clock-gettime-monotonic:    libc: \d+ nsec/call
>~ clock-gettime-monotonic:    vdso: (\d+ nsec/call|not tested)
>...

# Each of its 16 APIs can be timed and checked.
$ for api in $(retstack compat vdsotest list-apis); do \
    retstack compat --scale 0.001 vdsotest "$api" bench && \
    retstack compat vdsotest "$api" abi 2>notes || cat notes; \
  done | grep -c ': syscall: [0-9]* nsec/call$'
> 16

$ retstack compat vdsotest list-test-types
> verify
> bench
> abi

$ retstack compat vdsotest
! retstack: vdsotest takes an API and verify, bench or abi
? 2

$ retstack compat vdsotest getcpu
! retstack: vdsotest takes an API and verify, bench or abi, but got 'getcpu' alone
? 2

$ retstack compat vdsotest time bench
! retstack: vdsotest knows no API 'time'; `retstack compat vdsotest list-apis' shows them
? 2

$ retstack compat vdsotest getcpu fly
! retstack: vdsotest tests verify, bench and abi, not 'fly'
? 2

$ retstack compat vdsotest -d 0 getcpu bench
! retstack: -d takes seconds up to 1000000, not '0'
? 2

$ retstack compat vdsotest --frob getcpu bench
! retstack: vdsotest has no option '--frob', or it lacks its argument
? 2

# Never no loop at all.
$ retstack compat --scale 0.000000001 gettimeofday
> time = 0.000000
! retstack: the loop runs 1 times, not 100000000 as the original's
!...

$ retstack compat --scale=0.00001 gettimeofday 2>/dev/full
>~ time = .*

# Each benchmark is in the help.
$ retstack compat --help | sed -n 's/^  \([a-z_][a-z_-]*\) .*/\1/p'
> gettimeofday
> gettimeofday-diff
> vdso_test_getrandom
> vdsotest

# Wrong words.
$ retstack compat
! retstack compat: compat needs the name of a benchmark
!~ Try `retstack compat --help' .*
!...
? 2

$ retstack compat getimeofday
! retstack: compat knows no benchmark 'getimeofday'; did you mean 'gettimeofday'?
? 2

$ retstack compat "$(printf 'a\033b')"
! retstack: compat knows no benchmark 'a?b'; `retstack compat --help' lists them
? 2

$ retstack compat gettimeofday --scale 0.01
! retstack: gettimeofday takes no arguments, but got '--scale'; options of compat come before the benchmark's name
? 2

$ retstack compat --scale 0 gettimeofday
! retstack compat: --scale takes a factor up to 1000, such as 0.01, not '0'
!...
? 2

$ retstack compat --scale 1e3 gettimeofday
! retstack compat: --scale takes a factor up to 1000, such as 0.01, not '1e3'
!...
? 2

$ retstack compat --scale 0.0001 gettimeofday 2>/dev/null >/dev/full
? 3
