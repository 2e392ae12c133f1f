# Every case here is wrong in one way; the runner must see each.

# exit code
$ exit 3

$ true
? 1

# missing line
$ true
> hello

# one line too many
$ echo hello; echo world
> hello

# lines where none was expected
$ echo hello

$ echo hello >&2

# other text
$ echo hello
> hello 

$ echo hello >&2
! Hello

# wrong stream
$ echo hello
! hello

# a regular expression matches whole lines
$ echo hello
>~ hell

# wrong order
$ echo a; echo b
> b
> a

# what must come after the gap does not come
$ echo a; echo b
>...
> a

# a command that does not exist
$ no-such-command-anywhere
!...
