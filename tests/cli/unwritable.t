skip-unless test "$(id -u)" != 0 -- root may write to every file

$ mkdir closed; chmod 555 closed; retstack run -n 1 -r 1 -p 1 --csv closed/x getpc/lea
! retstack: cannot create 'closed/x': permission denied (EACCES); choose a place that you may write to
? 2

$ printf old >kept; chmod 444 kept; retstack run -n 1 -r 1 -p 1 --csv kept getpc/lea
! retstack: cannot create 'kept': permission denied (EACCES); choose a place that you may write to
? 2

$ cat kept; chmod 755 closed; ls -A . closed
> old.:
> closed
> kept
>
> closed:
