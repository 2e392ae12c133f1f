#!/bin/sh
# Builds the kernel tests for a foreign ISA as static programs and runs them under
# qemu's user-mode emulation:
# run.sh TARGET ISA EMULATOR CPUS SOURCE BUILD COUNT_ROWS
# TARGET is the compiler's prefix, ISA the folder in arch/, CPUS a list in one word.
set -eu
target=$1
isa=$2
emulator=$3
cpus=$4
source=$5
build=$6
count_rows=$7
compiler=$target-gcc

for program in "$compiler" "$emulator"; do
	if ! command -v "$program" >/dev/null; then
		echo "skip: $program is missing"
		exit 77
	fi
done

mkdir -p "$build"
cd "$source"
compile() {
	"$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -g -static -pthread -Wall -Wextra \
		-Wshadow -Wundef -Werror -I. -Itests/kernels/cross "$@"
}

build_program() {
	compile -o "$build/$1" "$2" \
		tests/kernels/checked_call.c tests/kernels/checked_"$isa".c \
		tests/kernels/site.c tests/kernels/target_none.c \
		tests/kernels/target_"$isa".S tests/kernels/wrong_"$isa".[cS] \
		arch/registers.c arch/workloads.c arch/"$isa"/*.[cS] \
		src/placement.c src/base/err.c src/base/text.c
}

# Every executed instruction is a line of the log, some 100 MB.
check_counts() {
	"$emulator" -cpu "$1" -singlestep -d nochain,exec -D "$build/log" \
		"$build/each_row" "$build/code" >"$build/rows"
	"$count_rows" "$build/rows" "$build/code" "$build/log" "$build/each_row"
	rm -f "$build/log"
}

for test in host checker datapage chain; do
	build_program "$test" "tests/kernels/test_$test.c"
done
build_program each_row tests/kernels/cross/each_row.c

for cpu in $cpus; do
	for test in host checker datapage chain; do
		echo "$target on $cpu: $test"
		"$emulator" -cpu "$cpu" "$build/$test"
	done
	echo "$target on $cpu: counts"
	check_counts "$cpu"
done
