# What the format promises, on commands that everybody knows.
$ echo one; echo two; echo three
>...
> two
>...

$ printf 'a\n\nb\n'
> a
>
> b

$ echo 12 ticks
>~ \d+ ticks

$ printf '%s %s\n' long \
  line
> long line

$ echo out; echo err >&2; exit 4
> out
! err
? 4

# any number of lines is also none
$ true
>...
!...

# each file has an empty folder of its own, and its cases share it
$ ls
$ touch here
$ ls
> here

$ cat

$ test -f "$SOURCE/tests/cli/runner.t"
