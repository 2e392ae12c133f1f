# Bad input to run: one sentence, exit code 2, no output and no file. The targets of
# --csv, --summary-csv and --json exist before and must be untouched afterwards.
$ printf old >csv; printf old >sum; printf old >json; printf '%04096d' 0 >long
$ printf '%s\n' \
  'retstack run --csv csv --summary-csv sum --json json -n 1 -r 1 -p 1 "$@"' \
  'code=$?; for f in csv sum json; do test "$(cat $f)" = old || echo "$f changed"; done' \
  'exit $code' >try

# Selectors.
$ sh try nothing
! retstack: no workload fits 'nothing'; `retstack list workloads` shows them
? 2

$ sh try getpc nothing
! retstack: no workload fits 'nothing'; `retstack list workloads` shows them
? 2

$ sh try getpc/nothing
!~ retstack: workload 'getpc' has no variant 'nothing'; it has lea .*
? 2

$ sh try vdso.clock_gettime:nothing
!~ retstack: no workload that fits takes 'nothing'; vdso\.clock_gettime takes realtime .*
? 2

$ sh try getpc:boottime
!~ retstack: no workload that fits takes 'boottime', nor anything else .*
? 2

$ sh try ""
! retstack: selector '' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]
? 2

$ sh try getpc/
! retstack: selector 'getpc/' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]
? 2

$ sh try /lea
! retstack: selector '/lea' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]
? 2

$ sh try getpc:
! retstack: selector 'getpc:' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]
? 2

$ sh try "$(cat long)"
!~ retstack: selector '0{57,60}\.\.\.' is too long for any workload or variant; .*
? 2

$ sh try "$(printf 'a\033[31mb')"
!~ retstack: no workload fits 'a\?\[31mb'; .*
? 2

# Events.
$ sh try -e nothing getpc
!~ retstack: unknown event 'nothing': .*
? 2

$ sh try -e "" getpc
!~ retstack: the list of events is empty; .*
? 2

$ sh try -e ,, getpc
!~ retstack: an empty event name in the list: .*
? 2

$ sh try -e ns,,ticks getpc
!~ retstack: an empty event name in the list: .*
? 2

$ sh try -e "$(cat long)" getpc
!~ retstack: event '0{57,60}\.\.\.' has 4096 characters; at most 127 are allowed
? 2

# Baseline and CPU.
$ sh try -b nothing getpc
!~ retstack: no chosen workload has a variant 'nothing' to be the baseline; .*
? 2

$ sh try -c 65535 getpc
!~ retstack: cpu 65535 is not in the allowed set \S+ of this process; choose one of .*
? 2

# Every value that an option cannot take, in a loop: the sentence names the option
# and shows the value, and argp adds where to look.
$ printf '%s\n' 'option=$1; shift; for value in "$@"; do' \
  'sh try "$option=$value" getpc >out 2>err; code=$?' \
  'test $code = 2 || echo "$option=$value: exit code $code"' \
  'test -s out && echo "$option=$value: something on standard output"' \
  'test $(wc -l <err) = 2 || echo "$option=$value: $(cat err)"' \
  'head -n 1 err | grep -qF -- "retstack run: $option takes" || echo "$option=$value: $(cat err)"' \
  'head -n 1 err | grep -qF -- ", not '"'"'$value'"'"'" || echo "$option=$value: $(cat err)"' \
  'tail -n 1 err | grep -qF "Try " || echo "$option=$value: no hint"; done' >each

$ sh each --calls "" 0 -1 +1 " 1" "1 " 1x 1e6 1.5 1000000001 99999999999999999999999

$ sh each --repetitions "" 0 -1 1e6 x 100001 18446744073709551617

$ sh each --placements "" 0 -1 65 1e1 x 4294967297

$ sh each --depth "" 0 -1 9 1-9 0-3 3-1 1, ,1 1,,2 x 1e0 4294967297

$ sh each --cpu "" -1 x 65536 1e1 4294967296

$ sh each --seed "" -1 x 1e6 18446744073709551616

$ sh each --max-time "" 0 -1 nan inf 1e9 x 1,5

$ sh each --block-size "" 0 -64 63 65 1k x 1073741888 18446744073709551616

$ sh each --threads "" 0 -1 1025 x 4294967298

$ sh each --total-size "" 0 -1 1k 3T x 1073741824G 18446744073709551615G

$ retstack run --total-size 1000 work+clock
! retstack run: --total-size takes a multiple of the block's 1024 bytes, at most 1000000000 of them
!...
? 2

$ sh try --total-size 3G --calls 3 work+clock
! retstack run: --total-size and --calls say the same; give one
!...
? 2

# As many threads as there are CPUs, and one more.
$ sh try --threads $(($(nproc) + 1)) getpc
!~ retstack: \d+ threads need a CPU each, and only \d+ may be used
? 2

$ sh each --clock-reads "" 0 -1 1000001 x 4294967297

# The loop itself must see a value that is good, and a text without a sentence.
$ sh each --calls 1
>~ --calls=1: exit code 0
>...

$ for option in baseline csv summary-csv json data replay; do \
  retstack run --$option= getpc 2>&1 | head -n 1; done
> retstack run: --baseline is given an empty text
> retstack run: --csv is given an empty text
> retstack run: --summary-csv is given an empty text
> retstack run: --json is given an empty text
> retstack run: --data is given an empty text
> retstack run: --replay is given an empty text

$ printf old >csv; printf old >sum; printf old >json
$ sh try --format xml getpc
! retstack run: unknown format 'xml'; there are text csv summary-csv json
!~ Try `retstack run --help' .*
? 2

$ sh try --format= getpc
! retstack run: unknown format ''; there are text csv summary-csv json
!~ Try `retstack run --help' .*
? 2

$ sh try --frobnicate
! retstack run: unrecognized option '--frobnicate'
!~ Try `retstack run --help' .*
? 2

$ sh try --calls
! retstack run: option '--calls' requires an argument
!~ Try `retstack run --help' .*
? 2

# Two outputs under one name.
$ retstack run --csv a --json a getpc
! retstack run: --csv and --json both write to 'a'
!~ Try `retstack run --help' .*
? 2

$ retstack run --summary-csv - --csv - getpc
! retstack run: --csv and --summary-csv both write to '-'
!~ Try `retstack run --help' .*
? 2

# Tables and replay files, with file and line.
$ mkdir -p d/alias; printf '[x]\nfrob\n' >d/alias/x.ini; sh try --data d getpc
! retstack: d/alias/x.ini line 2: neither a [section] nor key = value
? 2

$ sh try --data missing getpc
! retstack: cannot list missing/alias: No such file or directory
? 2

$ sh try --data csv getpc
! retstack: cannot list csv/alias: Not a directory
? 2

$ sh try --data "$(cat long)" getpc
! retstack: the data folder's name is too long
? 2

$ printf 'nonsense\n' >r; sh try --replay r getpc
! retstack: r line 1: a replay file starts with 'retstack-replay 1'
? 2

$ printf 'retstack-replay 1\n\nopen\n' >r; sh try --replay r getpc
! retstack: r line 3: the event is missing
? 2

$ : >r; sh try --replay r getpc
! retstack: r: the file is empty
? 2

$ sh try --replay missing getpc
! retstack: cannot read replay file missing: No such file or directory
? 2

$ sh try --replay . getpc
! retstack: cannot read replay file .: Is a directory
? 2

# Nothing is left behind.
$ ls -A
> csv
> d
> each
> err
> json
> long
> out
> r
> sum
> try

# Presets of the model.
$ retstack run --preset zen6 getpc
! retstack: there is no preset 'zen6'; did you mean 'zen5'; `retstack list presets' shows them
? 2

$ retstack run --preset= getpc
! retstack run: --preset is given an empty text
!~ Try `retstack run --help' .*
? 2

$ mkdir -p p; printf '[x]\nentries = 0\n' >p/predictors.ini; retstack run --data p getpc
! retstack: p/predictors.ini line 2: '0' is not a number from 1 to 65536
? 2
