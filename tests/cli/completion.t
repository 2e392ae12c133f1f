skip-unless command -v bash -- bash is missing

# Verbs.
$ bash "$SOURCE/tests/cli/complete.bash" retstack ru
> run

$ bash "$SOURCE/tests/cli/complete.bash" retstack ''
>...
> run
>...
> list
>...
> doctor
>...

# Options.
$ bash "$SOURCE/tests/cli/complete.bash" retstack --v
> --version

# Nothing to offer.
$ bash "$SOURCE/tests/cli/complete.bash" retstack zz
>
