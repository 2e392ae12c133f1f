#ifndef ARCH_X86_CLOCKREAD_H
#define ARCH_X86_CLOCKREAD_H

/* The forms of clockread.inc as rows, for the families that are made of them. */

/* Why rdtscp cannot run here; NULL: it can. */
const char *rs_no_rdtscp(void);

/* clang-format off */

/* Symbol, name, instructions of the form (clockread.inc), what it is, condition. */
#define RS_CLOCKREAD_FORMS(X)                                                          \
	X(lfence_rdtsc, "lfence+rdtsc", 4,                                             \
	  "lfence; rdtsc: the read waits for what precedes it, as in the vDSO of "     \
	  "processors without rdtscp", NULL)                                           \
	X(rdtsc, "rdtsc", 3, "rdtsc alone, which may run early", NULL)                 \
	X(rdtsc_lfence, "rdtsc+lfence", 4, "rdtsc; lfence: what follows waits", NULL)  \
	X(lfence_rdtsc_lfence, "lfence+rdtsc+lfence", 5,                               \
	  "lfence; rdtsc; lfence: both wait", NULL)                                    \
	X(mfence_rdtsc, "mfence+rdtsc", 4,                                             \
	  "mfence; rdtsc: earlier stores are seen before", NULL)                       \
	X(mfence_lfence_rdtsc, "mfence+lfence+rdtsc", 5,                               \
	  "mfence; lfence; rdtsc: the read waits for stores, too", NULL)               \
	X(rdtscp, "rdtscp", 3,                                                         \
	  "rdtscp, which waits for what precedes it, as in today's vDSO", rs_no_rdtscp) \
	X(rdtscp_lfence, "rdtscp+lfence", 4, "rdtscp; lfence: both wait", rs_no_rdtscp) \
	X(cpuid_rdtsc, "cpuid+rdtsc", 7,                                               \
	  "cpuid; rdtsc: the old way to serialise, which hypervisors intercept", NULL)

/* clang-format on */

#endif
