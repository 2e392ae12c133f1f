skip-unless retstack trace no-such-command 2>/dev/null; test $? = 2 -- a program cannot be single-stepped here

# The command's output and the table do not share a descriptor; its death is said.
$ retstack trace sh -c 'echo said; kill -SEGV $$' >table; echo $?; tail -n 1 table
> 3
> the command died of SIGSEGV
! said

# A standard descriptor that is closed is not given to a pipe.
$ retstack trace no-such-command >&-
! retstack: cannot run 'no-such-command': there is no such command
? 2

$ retstack trace no-such-command <&-
! retstack: cannot run 'no-such-command': there is no such command
? 2
