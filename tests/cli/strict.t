# Events that cannot be counted, played so that it does not depend on the machine.
$ printf '%s\n' 'retstack-replay 1' 'open cycles ENOENT' >no-pmu; printf old >kept

$ retstack run --replay no-pmu --strict -e cycles --csv kept getpc/lea
!~ retstack: --strict: event 'cycles' cannot be counted here: .*
? 77

$ retstack run --replay no-pmu -n 1000 -r 1 -p 1 -e cycles getpc/lea >table

$ cat kept; ls -A
> oldkept
> no-pmu
> table

# The clocks need no PMU.
$ retstack run --strict -e ns -n 1 -r 1 -p 1 getpc/lea >table
