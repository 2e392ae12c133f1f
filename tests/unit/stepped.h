#ifndef TESTS_UNIT_STEPPED_H
#define TESTS_UNIT_STEPPED_H

/* What the program stepped does, for test_stepper. */

#define STEPPED_CALLS  50 /* iterations of getpc's baseline */
#define STEPPED_FRAMES 3
#define STEPPED_EXIT   7

#endif
