#ifndef ARCH_KARGS_H
#define ARCH_KARGS_H

/*
 * The one argument of every kernel: an array of machine words, at these indices.
 * Read by C and by assembly alike.
 */
#define RS_KARG_CALLS  0 /* in: how often the loop body runs, at least 1 */
#define RS_KARG_TARGET 1 /* in: address of the function that the body calls, or 0 */
#define RS_KARG_ARG0   2 /* in: the target's or system call's first argument */
#define RS_KARG_ARG1   3
#define RS_KARG_ARG2   4
#define RS_KARG_SYSNO  5 /* in: system call number, for syscall kernels */
#define RS_KARG_RESULT 6 /* out: what the last body produced; each kernel says what */
/* in, for work kernels: the block that the body reads, and how often it then reads the
 * clock. */
#define RS_KARG_BLOCK  7
#define RS_KARG_LINES  8  /* of 64 bytes in the block, at least 1 */
#define RS_KARG_READS  9  /* at least 1 */
#define RS_KARG_ARG3   10 /* in: of the vDSO's getrandom */
#define RS_KARG_ARG4   11
#define RS_N_KARGS     13 /* one spare word */

#endif
