skip-unless retstack trace -o /dev/null true 2>/dev/null -- a program cannot be single-stepped here

# The command's output and the table do not share a descriptor, nor take one of a pipe.
$ retstack trace -f csv sh -c 'echo said' | sed -n 's/,.*//; $p'
> others
! said

$ retstack trace -o table sh -c 'echo said' && tail -n 1 table
> said
> the command exited with status 0

$ retstack trace true >&-
! retstack: cannot write standard output: Bad file descriptor (EBADF)
? 3

$ retstack trace true <&- | tail -n 1
> the command exited with status 0

# How the command ended is said; only its death is this program's business.
$ retstack trace sh -c 'exit 5' | tail -n 1
> the command exited with status 5

$ retstack trace sh -c 'kill -SEGV $$' >table; echo $?; tail -n 1 table
> 3
> the command died of SIGSEGV
