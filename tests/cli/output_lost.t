skip-unless test -c /dev/full -- /dev/full is missing here

# Output that does not arrive is not a success.
$ retstack --help >/dev/full
! retstack: cannot write to standard output: No space left on device
? 3

$ retstack --version >/dev/full
! retstack: cannot write to standard output: No space left on device
? 3

# A reader that has gone: said once, no death by signal. The opening for both
# directions lets the writer start; it is closed again before retstack writes.
$ mkfifo pipe; exec 3<>pipe 4>pipe 3>&-; retstack --help >&4
! retstack: cannot write to standard output: Broken pipe
? 3

# Standard output that was never open.
$ retstack --help >&-
! retstack: cannot write to standard output: Bad file descriptor
? 3
