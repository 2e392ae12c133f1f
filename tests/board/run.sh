#!/bin/sh
# Builds rs-kernels for a foreign ISA and tries it under qemu's user-mode emulation:
# run.sh TARGET ISA EMULATOR CPUS SOURCE BUILD PRESET
# TARGET is the compiler's prefix, PRESET a preset of CMake's, whose processor is said to
# be ISA; CPUS is one word of CPU:ABSENT, where ABSENT names the variants that this CPU
# cannot run.
set -eu
target=$1
isa=$2
emulator=$3
cpus=$4
source=$5
build=$6
preset=$7

for program in "$target-gcc" "$emulator" /usr/bin/python3; do
	if ! command -v "$program" >/dev/null; then
		echo "skip: $program is missing"
		exit 77
	fi
done

cd "$source"
quietly() {
	"$@" >"$build.log" 2>&1 || {
		cat "$build.log"
		exit 1
	}
}
quietly cmake --preset "$preset" -B "$build" -DCMAKE_SYSTEM_PROCESSOR="$isa"
quietly cmake --build "$build"
for cpu in $cpus; do
	/usr/bin/python3 tests/board/check_board.py "$build" "${cpu#*:}" \
		"$emulator" -cpu "${cpu%:*}"
done
