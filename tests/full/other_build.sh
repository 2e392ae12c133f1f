#!/bin/sh
# Builds the tree in another way and tests the outcome: other_build.sh KIND SOURCE BUILD.
set -eu
kind=$1
source=$2
build=$3

need() {
	if ! command -v "$1" >/dev/null; then
		echo "skip: $1 is missing"
		exit 77
	fi
}

build_with() {
	cmake -S "$source" -B "$build" -G Ninja -DRS_WERROR=ON -DRS_NESTED=ON "$@"
}

# The documents and the format are the same in every build.
fast_tests() {
	ctest --test-dir "$build" -L fast -LE lint --output-on-failure --no-tests=error
}

# Fixed work from a fixed seed, so that the outcome is the same every time.
fuzz_all() {
	n_run=0
	for program in "$build"/tests/fuzz/fuzz_*; do
		if [ -f "$program" ] && [ -x "$program" ]; then
			name=${program##*/fuzz_}
			mkdir -p "$build/corpus/$name"
			"$program" -seed=1 -runs=2000 -artifact_prefix="$build/$name-" \
				"$build/corpus/$name" "$source/tests/fuzz/corpus/$name"
			n_run=$((n_run + 1))
		fi
	done
	[ "$n_run" -gt 0 ]
}

# Everything that install promises, and a program that runs from there.
check_installed() {
	root=$build/root
	rm -rf "$root"
	DESTDIR=$root cmake --install "$build" --prefix /usr
	"$root/usr/bin/retstack" --version
	test -s "$root/usr/share/man/man1/retstack.1"
	test -s "$root/usr/share/bash-completion/completions/retstack"
}

case $kind in
clang)
	need clang
	build_with -DCMAKE_C_COMPILER=clang
	cmake --build "$build"
	fast_tests
	;;
sanitize)
	build_with -DCMAKE_BUILD_TYPE=Debug -DRS_SANITIZE=ON
	cmake --build "$build"
	fast_tests
	;;
fuzz)
	need clang
	build_with -DCMAKE_C_COMPILER=clang -DRS_SANITIZE=ON -DRS_FUZZ=ON
	cmake --build "$build" --target fuzz_targets
	fuzz_all
	;;
install)
	build_with -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
	cmake --build "$build"
	check_installed
	;;
*)
	echo "unknown kind '$kind'"
	exit 2
	;;
esac
