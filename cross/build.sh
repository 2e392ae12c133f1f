#!/usr/bin/env bash
# Builds for another machine and tries the outcome under user-mode emulation:
# cross/build.sh ARCH
#   ppc64el, arm64, s390x         the whole program: build-cross/ARCH/build/retstack
#   powerpc, powerpc64, riscv64   rs-kernels: build-board-ARCH/rs-kernels
set -euo pipefail
arch=$1
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

die() {
	printf 'cross: %s\n' "$*" >&2
	exit 1
}

case $arch in
ppc64el) emulator=(qemu-ppc64le-static) ;;
arm64) emulator=(qemu-aarch64-static) ;;
s390x) emulator=(qemu-s390x-static) ;;
powerpc) emulator=(qemu-ppc-static) ;;
powerpc64) emulator=(qemu-ppc64-static) ;;
riscv64) emulator=(qemu-riscv64-static) ;;
*) die "cannot build for '$arch'; there is: ppc64el arm64 s390x powerpc powerpc64 riscv64" ;;
esac

# Runs a command whose output matters only when it fails.
quietly() {
	local output
	if ! output=$("$@" 2>&1); then
		printf '%s\n' "$output" >&2
		die "failed: $*"
	fi
}

build() {
	quietly cmake --preset "$1" "${@:3}"
	quietly cmake --build "$2"
}

# Runs the program with arguments; its standard output is in $said.
must_say() {
	local status=0
	said=$("${emulator[@]}" "$@" 2>"$errors") || status=$?
	if ((status)); then
		cat "$errors" >&2
		die "status $status of: ${emulator[*]} $*"
	fi
}

# expect PATTERN: some line of what was said matches as a whole.
expect() {
	grep -Eqx -- "$1" <<<"$said" || die "no line '$1' in what $program says: $said"
}

# No figure of an emulator means anything: what counts is that there are rows.
try_program() {
	must_say "$program" --version
	expect 'retstack [0-9.]+'
	must_say "$program" list workloads
	expect 'getpc .*'
	must_say "$program" list variants
	if [[ $said == *none ]]; then # this instruction set has no kernels
		return 0
	fi
	must_say "$program" run --format summary-csv --calls 100 --repetitions 3 \
		--placements 2 getpc datapage
	expect '[0-9]+,[^,]*,getpc,[a-z0-9+]+,3,ns,ns/call,-?[0-9].*,ok,.*'
}

try_kernels() {
	must_say "$program" --version
	expect 'rs-kernels [0-9.]+'
	must_say "$program" list
	if grep -q 'has no kernels' <<<"$said"; then
		return 0
	fi
	must_say "$program" check
	expect 'all kernels are right'
}

command -v "${emulator[0]}" >/dev/null || die "${emulator[0]} is missing"
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
case $arch in
ppc64el | arm64 | s390x)
	cross/fetch.sh root "$arch"
	emulator+=(-L "build-cross/$arch/root")
	program=build-cross/$arch/build/retstack
	build "cross-$arch" "${program%/*}"
	try_program
	;;
*)
	program=build-board-$arch/rs-kernels
	build "board-$arch" "${program%/*}"
	try_kernels
	;;
esac
printf 'cross: built %s, which runs under %s\n' "$program" "${emulator[0]}" >&2
