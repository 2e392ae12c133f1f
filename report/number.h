#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#define RS_NUMBER_BYTES 48

/*
 * Numbers as text. All need a finite value and a locale with a decimal point, as
 * between rs_sink_begin and rs_sink_end. Each returns out.
 */

/* For tables: three or four significant digits, "2.91", "1188", "0.012". */
const char *rs_number_brief(char out[RS_NUMBER_BYTES], double value);

/* For tables, always with a sign: "+3.9", "-0.0", "+1187". */
const char *rs_number_signed(char out[RS_NUMBER_BYTES], double value);

/* For files: the shortest decimal text that reads back as exactly this value. */
const char *rs_number_exact(char out[RS_NUMBER_BYTES], double value);

#endif
