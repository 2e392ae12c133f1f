#!/bin/busybox sh
# shellcheck shell=dash
# What the guest runs in place of a system: each command's output, errors and status go to
# a folder, and the folder to the console, between two marks.
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
dmesg -n 1
mkdir /tmp/out
cd /tmp/out || exit

# run_as NAME COMMAND...
run_as() {
	as=$1
	shift
	echo "$as" >/dev/console
	"$@" >"$as.out" 2>"$as.err"
	echo $? >"$as.status"
}

# measure NAME CALLS ARGUMENT...: the same number of calls for each row, so that counts of
# two runs can be subtracted.
measure() {
	name=$1
	calls=$2
	shift 2
	run_as "$name" retstack run --calls "$calls" --repetitions 3 --placements 2 --seed 1 \
		--csv "$name.csv" --json "$name.json" --summary-csv "$name.summary.csv" "$@"
}

# twice NAME ARGUMENT...: what 1000 calls add is without what reading a counter costs.
twice() {
	both=$1
	shift
	measure "$both-few" 200 "$@"
	measure "$both-many" 1200 "$@"
}

run_as uname uname -a
run_as version retstack --version
run_as doctor retstack doctor --format json
run_as events retstack list events --format json
run_as vdso retstack list vdso --format json
run_as verify retstack verify --format tap
run_as kernels rs-kernels list --csv
run_as check rs-kernels check
twice forms --events cycles,instructions --depth 1-8 getpc datapage
twice calls --events cycles,instructions 'vdso.*'
measure default 200 getpc
case $(uname -m) in
ppc64le)
	twice reads --events cycles,instructions clockread
	measure lstack 200 --events PM_BR_MPRED_LSTACK,cycles getpc datapage
	;;
esac
run_as uptime cat /proc/uptime

echo "@@@ begin"
tar -c . | gzip | base64
echo "@@@ end"
poweroff -f
