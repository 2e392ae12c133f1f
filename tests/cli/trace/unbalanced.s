# A program for 32-bit PowerPC whose innermost function reads its own address by a call
# that no return pops, three times, below two frames. unbalanced.elf and unbalanced.log
# are made of it by
#   powerpc-linux-gnu-gcc -nostdlib -static -Wl,-n,--build-id=none \
#       -o unbalanced.elf unbalanced.s
#   powerpc-linux-gnu-strip -R .comment --keep-symbol=_start --keep-symbol=outer \
#       --keep-symbol=inner unbalanced.elf
#   qemu-ppc -singlestep -d nochain,exec -D unbalanced.log unbalanced.elf

	.globl	_start
	.type	_start, @function
_start:
	li	31, 3
1:	bl	outer
	addic.	31, 31, -1
	bne	1b
	li	0, 1		# exit(0)
	li	3, 0
	sc
	.size	_start, . - _start

	.globl	outer
	.type	outer, @function
outer:
	mflr	30
	bl	inner
	mtlr	30
	blr
	.size	outer, . - outer

	.globl	inner
	.type	inner, @function
inner:
	mflr	29
	bl	2f		# the way of before 2015: pushed
	.long	0
2:	mflr	28
	mtlr	29
	blr
	.size	inner, . - inner
