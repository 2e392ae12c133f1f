#!/usr/bin/env bash
# Runs the program inside Debian's own kernel on an emulated machine, whose PMU counts, and
# checks what comes out: boot.sh ARCH FOLDER
# FOLDER keeps what the guest said. Needs what cross/build.sh ARCH has built.
set -euo pipefail
arch=$1
folder=$2
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
root=build-cross/$arch/root
kernel=build-cross/$arch/kernel
programs=build-cross/$arch/build

die() {
	printf 'system: %s\n' "$*" >&2
	exit 1
}

# A virtual nanosecond is an instruction: the guest's PMU counts them only so.
common=(-icount shift=0 -m 1G -nographic -vga none -nic none -no-reboot)
case $arch in
ppc64el)
	emulator=qemu-system-ppc64
	# Without these capabilities, which an emulated processor does not have.
	machine=pseries,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist=off
	cpu=power9
	console=hvc0
	;;
arm64)
	emulator=qemu-system-aarch64
	machine=virt
	cpu=max,pmu=on
	console=ttyAMA0
	;;
*) die "no machine is known for '$arch'; there is: ppc64el, arm64" ;;
esac
for program in "$emulator" cpio gzip base64; do
	command -v "$program" >/dev/null || die "$program is missing"
done

# The programs, the libraries that they may need, busybox and the script.
pack() {
	rm -rf "$folder/tree"
	mkdir -p "$folder"/tree/{bin,dev,proc,sys,tmp}
	cp "$programs"/{retstack,rs-kernels} "$kernel/bin/busybox" "$folder/tree/bin"
	cp tests/system/guest.sh "$folder/tree/init"
	chmod +x "$folder/tree/init"
	(cd "$root" && find . \( -name '*.so.*' -o -type f -name '*.so' \) -print0 |
		cpio -0 -o -H newc --quiet) | (cd "$folder/tree" && cpio -idm --quiet)
	(cd "$folder/tree" && find . -print0 | cpio -0 -o -H newc --quiet) |
		gzip -1 >"$folder/initramfs"
	rm -rf "$folder/tree"
}

# It ends by itself; what it says until then is in console.
boot() {
	timeout 600 "$emulator" "${common[@]}" -M "$machine" -cpu "$cpu" \
		-kernel "$kernel"/boot/vmlinu?-* -initrd "$folder/initramfs" \
		-append "console=$console quiet panic=-1" \
		</dev/null >"$folder/console" 2>&1 || die "status $? of $emulator; it said:
$(tail -n 30 "$folder/console")"
}

unpack() {
	rm -rf "$folder/out"
	mkdir -p "$folder/out"
	tr -d '\r' <"$folder/console" | sed -e '1,/^@@@ begin$/d' -e '/^@@@ end$/,$d' |
		base64 -d | tar -xz -C "$folder/out" ||
		die "the guest did not get to its end; it said:
$(tail -n 30 "$folder/console")"
}

cross/fetch.sh kernel "$arch"
mkdir -p "$folder"
pack
boot
unpack
/usr/bin/python3 tests/system/check_guest.py "$arch" "$folder/out"
