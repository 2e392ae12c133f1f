# Nothing asked for: the help, but as an error.
$ retstack
! Usage: retstack VERB [OPTION...] [ARGUMENT...]
!...
!~   run +\S.*
!...
? 2

# The same text for three spellings.
$ retstack --help
> Usage: retstack VERB [OPTION...] [ARGUMENT...]
> Measure, model and audit how code uses the processor's link stack.
>
>~   run +\S.*
>~   list +\S.*
>~   doctor +\S.*
>...
>~ .*--help +give this help list
>~ .*--version +print program version

$ retstack --help >long; retstack -? >short; retstack help >word; \
  cmp long short && cmp long word

$ retstack --version
>~ retstack \d+\.\d+\.\d+

$ retstack --version >long; retstack -V >short; cmp long short

# Typing errors.
$ retstack rnu
! retstack: unknown verb 'rnu'; did you mean 'run'?
? 2

$ retstack ""
! retstack: unknown verb ''; `retstack --help' lists them
? 2

$ retstack --frobnicate
! retstack: unknown verb '--frobnicate'; `retstack --help' lists them
? 2

# 4 KiB of name, and bytes that would disturb a terminal.
$ retstack $(printf '%04096d' 0)
!~ retstack: unknown verb '0{57,60}\.\.\.'; `retstack --help' lists them
? 2

$ retstack "$(printf 'a\033[31mb')"
! retstack: unknown verb 'a?[31mb'; `retstack --help' lists them
? 2
