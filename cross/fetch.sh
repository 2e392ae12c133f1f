#!/usr/bin/env bash
# Downloads Debian packages of a foreign architecture and unpacks them, with package lists
# of its own: the host's packages and lists stay as they are.
#
#   cross/fetch.sh root ARCH     what retstack is linked with: build-cross/ARCH/root
#   cross/fetch.sh kernel ARCH   Debian's kernel and busybox: build-cross/ARCH/kernel
#
# What has been unpacked once is used again. Needs a network the first time only.
set -euo pipefail
what=$1
arch=$2
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
base=$PWD/build-cross/$arch
output=$base/$what
log=$base/$what.log

die() {
	printf 'cross: %s\n' "$*" >&2
	exit 1
}

case $arch in
ppc64el) kernel=linux-image-powerpc64le ;;
arm64) kernel=linux-image-arm64 ;;
s390x) kernel=linux-image-s390x ;;
*) die "no packages are known for '$arch'; there is: ppc64el, arm64, s390x" ;;
esac
root_packages=(libc6-dev libpfm4-dev libelf-dev libjansson-dev libsmartcols-dev
	libinih-dev)
# Zydis, and so its package, is for little-endian machines.
[[ $arch == s390x ]] || root_packages+=(libzydis-dev)

for program in apt-get dpkg-deb flock; do
	command -v "$program" >/dev/null || die "$program is missing; this needs Debian"
done

# No package is installed in this state, so that installing one names all that it needs.
apt_options=(-q -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch"
	-o "Dir::State=$base/apt" -o Dir::State::lists=lists
	-o "Dir::State::status=$base/apt/status" -o "Dir::Cache=$base/apt/cache"
	-o Debug::NoLocking=1 -o Acquire::Languages=none -o Acquire::Retries=3
	-o APT::Sandbox::User=root -o APT::Install-Recommends=0)

# A list of a third party may lack this architecture: what counts is what can be found.
update() {
	apt-get "${apt_options[@]}" update >>"$log" 2>&1 || true
}

download_root() {
	apt-get "${apt_options[@]}" -y --download-only install "${root_packages[@]}"
}

# The kernel's package depends on what would install it: only itself is wanted.
download_kernel() {
	local name
	name=$(apt-cache "${apt_options[@]}" depends "$kernel" |
		sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p')
	[[ -n $name ]] || return 1
	cd "$base/apt/cache/archives"
	apt-get "${apt_options[@]}" download "$name" busybox-static
}

fetch() {
	rm -rf "$base/apt/cache/archives"
	mkdir -p "$base/apt/lists/partial" "$base/apt/cache/archives/partial"
	: >"$base/apt/status"
	: >"$log"
	(download_"$what") >>"$log" 2>&1 && return 0
	update
	(download_"$what") >>"$log" 2>&1 && return 0
	tail -n 20 "$log" >&2
	die "cannot download the packages for $what of $arch, see above and $log"
}

unpack() {
	rm -rf "$output" "$output.new"
	mkdir -p "$output.new"
	local folder package
	for package in "$base"/apt/cache/archives/*.deb; do
		# All that is needed of the kernel is built into it.
		dpkg-deb --fsys-tarfile "$package" |
			tar -x -C "$output.new" --no-same-owner --exclude='./lib/modules' \
				--exclude='./usr/lib/modules' --exclude='./usr/share/doc'
	done
	# Where a release has all in /usr, its package of basic files would make these.
	for folder in lib lib64 bin sbin; do
		[[ -e $output.new/$folder || ! -d $output.new/usr/$folder ]] ||
			ln -s "usr/$folder" "$output.new/$folder"
	done
	make_links_relative
	rm -rf "$base/apt/cache/archives"
	mv "$output.new" "$output"
}

# Absolute ones would lead out of the root.
make_links_relative() {
	local link target
	find "$output.new" -type l -lname '/*' -print0 |
		while IFS= read -r -d '' link; do
			target=$(readlink "$link")
			ln -sfrT "$output.new$target" "$link"
		done
}

mkdir -p "$base"
exec {lock}>"$base/lock"
flock "$lock"
stamp=$output.stamp
wanted=$(sha256sum <cross/fetch.sh)
if [[ -d $output && $wanted == "$(cat "$stamp" 2>/dev/null)" ]]; then
	exit 0
fi
printf 'cross: downloading packages of %s for %s\n' "$arch" "$output" >&2
rm -f "$stamp"
fetch
unpack
printf '%s\n' "$wanted" >"$stamp"
