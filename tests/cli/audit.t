# audit on raw code, on images and on what is neither.
$ retstack audit
! retstack audit: give a file, or --vdso
!~ Try `retstack audit --help' .*
!...
? 2

$ retstack audit --raw code
! retstack audit: --raw needs --isa
!~ Try `retstack audit --help' .*
!...
? 2

$ retstack audit --isa ppc64le code 2>&1 | head -n 1
> retstack audit: --isa and --base are for --raw: an ELF image says both itself

$ retstack audit --raw --isa vax code 2>&1 | head -n 1
> retstack audit: unknown ISA 'vax'; there are x86_64 i386 ppc64le ppc64 ppc aarch64 riscv64 s390x

$ retstack audit --raw --isa ppc --base zero code 2>&1 | head -n 1
> retstack audit: --base takes an address such as 0x1000, not 'zero'

# mflr r0; bl .+8; .long 0x1234; mflr r3; mtlr r0; blr
$ printf '\174\010\002\246\110\000\000\011\000\000\022\064' >code; \
  printf '\174\150\002\246\174\010\003\246\116\200\000\040' >>code
$ retstack audit --raw --isa ppc --base 0x1000 code
> link-stack audit
> function  image  grade    kind              severity  address  bytes     mispredicts
> ?         code   finding  push-without-pop  high       0x1004  48000009            1
> ?: bcl 20,31,.+4, with data moved from behind it, or an address from the TOC or
>   GOT; addpcis from POWER9 on
> code: ppc, 0 functions, 20 of their 24 bytes decoded (83.33 %), 0 bytes of code
>   in no function; 1 findings, 0 notes
? 1

$ retstack audit --raw --isa ppc -f csv code | cut -d, -f 2-9
> image,isa,grade,kind,severity,address,bytes,mispredicts
> code,ppc,finding,push-without-pop,high,0x4,48000009,1
> code,ppc,undecoded,undecoded,,0x8,00001234,
> code,ppc,coverage,,,,,

$ retstack audit --raw --isa ppc -f json code | python3 -c \
  'import json, sys; rows = json.load(sys.stdin)["rows"]; print(rows[0]["mispredicts"], rows[0]["kind"], rows[2]["decoded_bytes"], rows[1]["mispredicts"])'
> 1 push-without-pop 20 None

# A bad input is said, the others are audited, and the exit status is that of the bad one.
$ retstack audit code missing "$SOURCE/tests/fuzz/corpus/vdso_image/be32_sysv" >out; echo $?; grep -c be32 out
!~ retstack: code is not an ELF image: .*
! retstack: cannot read missing: No such file or directory
> 2
> 1

$ : >empty; retstack audit empty >/dev/null
!~ retstack: empty is not an ELF image: .*
? 2

$ retstack audit . >/dev/null
!~ retstack: cannot read \.: .*
? 2

$ retstack audit "$(command -v retstack)" | tail -n 3 | tr -d '\n' | sed 's/  */ /g'
>~ .*retstack: \S+, \d+ functions, \d+ of their \d+ bytes decoded \(\d+.*

$ ar rc lib.a "$SOURCE/tests/fuzz/corpus/vdso_image/be32_sysv" code && retstack audit lib.a | tail -n 2 | head -n 1
>~ lib\.a\(be32_sysv\): ppc, .*

$ ar rc text.a code && retstack audit text.a >/dev/null
! retstack: archive text.a has no ELF image in it
? 2

$ ar rcT thin.a code && retstack audit thin.a >/dev/null
! retstack: thin.a is a thin archive, which only names its members; give those files instead
? 2

$ head -c 200 lib.a >cut.a; retstack audit cut.a >/dev/null
!~ retstack: archive cut\.a: the member at byte \d+ does not end in the file; .*
? 2

$ retstack audit -f tap code 2>&1 | head -n 1
> retstack audit: unknown format 'tap'; there are text csv json
