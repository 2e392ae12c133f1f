#!/bin/sh
# Does count_rows see that a row is wrong? must_fail.sh COUNT_ROWS IMAGE FOLDER
# A kernel of four instructions is "executed" by a log that is written here: addi,
# bcl 20,31,.+4, bl .+4 and bdnz, as 32-bit PowerPC, which IMAGE is an image of.
set -eu
count_rows=$1
image=$2
folder=$3
mkdir -p "$folder"
cd "$folder"

line() {
	echo "Trace 0: 0x7f0000000000 [00000000/$1/00000000/ff000200] kernel"
}

# call N: as a call with N iterations is logged.
call() {
	iterations=$1
	line 00000ffc
	while [ "$iterations" -gt 0 ]; do
		line 00001004 && line 00001008 && line 0000100c && line 00001010
		iterations=$((iterations - 1))
	done
	line 00001014
}

call 1 >one.log
call 4 >four.log
cat one.log four.log >log
printf '\070\143\000\001\102\237\000\005\110\000\000\005\102\000\377\364' >code

# try EXIT WORDS ROW: count_rows exits with EXIT and says WORDS of this row.
try() {
	echo "$3" >rows
	status=0
	"$count_rows" rows code log "$image" >said 2>&1 || status=$?
	if [ "$status" -ne "$1" ] || ! grep -q "$2" said; then
		echo "of the row '$3' it says, with status $status:"
		cat said
		exit 1
	fi
}

row='loop 0 0x1004 0x1004 16'
try 1 'entered 5 times, not twice' "$row 0 4 3 1 0 1"
row='loop 0 0xffc 0x1004 16'
try 0 '1 kernels and depths' "$row 0 4 3 1 0 1"
try 1 '12 instructions in 3 iterations, the row says 15' "$row 0 5 3 1 0 1"
try 1 '9 branches in 3 iterations, the row says 12' "$row 0 4 4 1 0 1"
try 1 '3 pushes in 3 iterations, the row says 6' "$row 0 4 3 2 0 1"
try 1 '0 pops in 3 iterations, the row says 3' "$row 0 4 3 1 1 1"
# That one is counted as it runs, but its push is not popped by the row's own code.
try 1 'the audit finds 2 in a row of 1 pushes and 1 pops' "$row 1 4 3 1 1 1"
try 1 '3 exempt calls in 3 iterations, the row says 6' "$row 0 4 3 1 0 2"
try 1 'entered 0 times, not twice' 'loop 0 0x2000 0x1004 16 0 4 3 1 0 1'
try 2 'ends within loop' 'loop 0 0xffc 0x1004 17 0 4 3 1 0 1'
try 2 'not a row' 'loop 0 0xffc 0x1004'
head -c 12 code >short && mv short code
try 1 'the audit finds 0 in a row of 1 pushes and 0 pops' \
	'loop 0 0xffc 0x1004 12 0 3 2 1 0 1'
printf '\000\000\000\001' >>code
: >log
try 2 'has no executed instruction' "$row 0 4 3 1 0 1"
echo "every wrong row is seen"
