# Context switches, as a user selects them.
$ retstack list -f csv workloads | grep '^ctxsw' | cut -d , -f 1-3
> ctxsw,threads,:WAY
> ctxsw.returns,threads,:WAY

$ retstack run ctxsw:pipes
! retstack: no workload that fits takes 'pipes'; ctxsw takes yield pipe futex pipe-2cpus futex-2cpus
? 2

$ retstack run ctxsw/thread
!~ retstack: workload 'ctxsw' has no variant 'thread'; it has threads threads\+fp .*
? 2

# On one CPU, rows for two say so; the others are measured.
$ cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//'); taskset -c "$cpu" \
  retstack run -n 50 -r 1 -p 1 -f summary-csv 'ctxsw:pipe*/threads' \
  | cut -d, -f 3,4,6,22 | grep -v '\.gross\|cycles\|branch\|instr\|return\|ticks'
> workload,variant,metric,status
> ctxsw:pipe,threads,ns,ok
> ctxsw:pipe,threads again,ns,ok
> ctxsw:pipe-2cpus,threads,,absent
> ctxsw:pipe-2cpus,threads again,,absent

$ cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//'); taskset -c "$cpu" \
  retstack run -n 50 -r 1 -p 1 ctxsw:futex-2cpus/threads
>~ ctxsw:futex-2cpus  cpu \d+ .*
> variant  verdict
> threads  absent: this process may use one CPU only
>...
! retstack: nothing that was asked for can be measured here; the rows say why
? 77
