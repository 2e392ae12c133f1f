# trace. What single-steps is in unit.trace and unit.stepper; a log needs no tracer.
# The program is PowerPC's __get_datapage of before 2015: 2 mispredicts each time.
$ retstack trace --log $SOURCE/tests/cli/trace/unbalanced.log \
      $SOURCE/tests/cli/trace/unbalanced.elf -f csv
! retstack: cannot read the image '-f': No such file or directory
? 2

$ retstack trace -f csv --log $SOURCE/tests/cli/trace/unbalanced.log \
      $SOURCE/tests/cli/trace/unbalanced.elf | cut -d, -f 1-6,8-19
> kind,place,image,times,mispredicts,caused,function,function_offset,address,file_offset,instructions,calls,returns,exempt_calls,mispredicts_per_return,deepest_nesting,undecoded,threads
> total,,,,6,,,,,,39,9,6,0,1.000000,3,0,1
> push-without-pop,inner+0x4,unbalanced.elf,3,,6,inner,4,0x10000084,0x84,,,,,,,,
> displaced,inner+0x14,unbalanced.elf,3,3,,inner,20,0x10000094,0x94,,,,,,,,
> displaced,outer+0xc,unbalanced.elf,3,3,,outer,12,0x1000007c,0x7c,,,,,,,,
> others,,,,0,0,,,,,,,,,,,,

$ cd $SOURCE/tests/cli/trace && retstack trace -t 1 --log unbalanced.log unbalanced.elf
> what a link stack predicts of the returns that were executed
> kind              place      image           times  mispredicts  caused
> total             -          -                   -            6       -
> push-without-pop  inner+0x4  unbalanced.elf      3            -       6
> others            -          -                   -            6       0
> 39 instructions, 9 calls, 6 returns, 0 exempt calls; deepest nesting 3; threads:
>   1, processes: 1
> 100.00 % of the returns are mispredicted
> model: generic, 16 entries, circular, stale

# With one entry, the call of inner pushes that of outer out.
$ cd $SOURCE/tests/cli/trace && \
  retstack trace -e 1 --log unbalanced.log unbalanced.elf | grep unbalanced
> push-without-pop  inner+0x4   unbalanced.elf      3            -       3
> displaced         inner+0x14  unbalanced.elf      3            3       -
> overflow          outer+0xc   unbalanced.elf      3            3       -

$ cd $SOURCE/tests/cli/trace && \
  retstack trace --preset power8 --log unbalanced.log unbalanced.elf | grep model
>~ model: power8, \d+ entries, .*

# The result's file is whole or not there.
$ cd $SOURCE/tests/cli/trace && \
  retstack trace -o "$OLDPWD/t.json" -f json --log unbalanced.log unbalanced.elf && \
  python3 -c 'import json, sys; print(json.load(sys.stdin)["rows"][1]["caused"])' \
      <"$OLDPWD/t.json"
> 6

$ retstack trace -o /nonexistent/t.csv --log /dev/null /dev/null
!~ retstack: .*/nonexistent/t\.csv.*
? 2

# A log that is cut says so, and its exit status.
$ cd $SOURCE/tests/cli/trace && head -c 1600 unbalanced.log >"$OLDPWD/cut" && \
  retstack trace --log "$OLDPWD/cut" unbalanced.elf | grep partial
> partial: the log ends within a line

$ cd $SOURCE/tests/cli/trace && head -c 1600 unbalanced.log >"$OLDPWD/cut" && \
  retstack trace --log "$OLDPWD/cut" unbalanced.elf >"$OLDPWD/said"
? 3

# Blocks, not instructions.
$ cd $SOURCE/tests/cli/trace && sed -n 'p;n;n' unbalanced.log >"$OLDPWD/blocks" && \
  retstack trace --log "$OLDPWD/blocks" unbalanced.elf
!~ retstack: '.*/blocks' leaves something out at \d+ of \d+ places: it was written .*
? 2

# Elsewhere than the image says, all is outside of it.
$ cd $SOURCE/tests/cli/trace && \
  retstack trace --log unbalanced.log unbalanced.elf@0x1000 | tail -n 4
>   1, processes: 1
> model: generic, 16 entries, circular, stale
> 39 instructions could not be decoded, most of them in images that were not
>   given; what they called or returned from is missing

$ cd $SOURCE/tests/cli/trace && retstack trace --log unbalanced.log unbalanced.elf \
      unbalanced.elf
!~ retstack: 'unbalanced.elf' and 'unbalanced.elf' were not both at 0x100000\w\w
? 2

$ cd $SOURCE/tests/cli/trace && retstack trace --log unbalanced.s unbalanced.elf
! retstack: the log 'unbalanced.s' has no executed instruction; qemu-user writes them with -singlestep -d nochain,exec -D FILE
? 2

$ cd $SOURCE/tests/cli/trace && retstack trace --log unbalanced.log unbalanced.s
!~ retstack: .*unbalanced\.s.*
? 2

$ cd $SOURCE/tests/cli/trace && retstack trace --log unbalanced.log \
      ../../fuzz/corpus/vdso_image/be64_gnu
! retstack: where '../../fuzz/corpus/vdso_image/be64_gnu' was mapped is not known: write '../../fuzz/corpus/vdso_image/be64_gnu@BASE'; qemu-user logs the mappings with -d page
? 2

$ retstack trace -- no-such-command
! retstack: cannot run 'no-such-command': there is no such command
? 2

$ retstack trace --preset pover9 true
!~ retstack: .*pover9.*
? 2

$ retstack trace --entries 0 true
! retstack trace: --entries takes a number from 1 to 65536, not '0'
!~ Try `retstack trace --help' .*
!...
? 2

$ retstack trace
! retstack trace: trace needs a command
!~ Try `retstack trace --help' .*
!...
? 2

$ retstack trace --log unbalanced.log
! retstack trace: --log needs the image that was run
!~ Try `retstack trace --help' .*
!...
? 2
