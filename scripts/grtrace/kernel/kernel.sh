#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Gets a Debian kernel, its headers or its source as signed packages through
# apt and prints the folder where they are unpacked.  Nothing is installed:
# installing an image would also build an initramfs and touch the boot loader.
# The newest point release of the base is taken; each is unpacked once.
#
# Usage: kernel.sh BASE WHAT
#
#   BASE  6.12-bookworm, 6.12-trixie, 7.3, or 6.12 (this machine's own suite)
#   WHAT  image    a folder with vmlinuz, lib/modules/<release> (depmod done)
#                  and a file "release"
#         headers  a kernel build directory, for make -C
#         source   the kernel source tree with Debian's patches
#         release  no folder: prints the kernel release, e.g. for uname -r
. "$(dirname "$0")/../lib/use.sh" cache apt base

options '' "$@"
[ $# = 2 ] || usage_error "needs a base and what to get"
case "$2" in image|headers|source|release) ;; *) usage_error "cannot get '$2': it is one of image, headers, source, release" ;; esac
base="$(base_name "$1")"
what="$2"
suite="$(base_suite "$base")"
series="$(base_series "$base")"

# newest_release: Debian's ABI name of the newest kernel that has headers.
newest_release() {
	local known="$CACHE/apt/$suite/newest-$series" release
	if [ -s "$known" ] && [ "$known" -nt "$CACHE/apt/$suite/fetched" ]; then
		cat "$known"
		return
	fi
	release="$(apt_newest "$suite" "linux-headers-(${series//./\\.}\\.[0-9]+[^-]*)-amd64")"
	[ -n "$release" ] || die "Debian $suite offers no kernel $series (no package linux-headers-$series.*-amd64 in its lists)"
	printf '%s\n' "$release" >"$known.$$" && mv "$known.$$" "$known"
	printf '%s\n' "$release"
}

# fill_image DIR: the boot image and modules.  Up to 6.12 one package holds both.
# Newer packaging splits them, and linux-image only names the parts; of these the
# signed image comes some days after the unsigned one.
fill_image() {
	local dir="$1" image="linux-binary-$release-amd64" vmlinuz
	note "unpacking kernel $release-amd64 of Debian $suite"
	if apt_has "$suite" "linux-modules-$release-amd64"; then
		apt_has "$suite" "$image" || image="linux-binary-unsigned-$release-amd64"
		apt_unpack "$suite" "$dir" "$image" \
			"linux-modules-$release-amd64" "linux-base-$release-amd64"
	else
		apt_unpack "$suite" "$dir" "linux-image-$release-amd64"
	fi
	# 7.3 has everything below /usr.
	if [ ! -e "$dir/lib" ]; then
		ln -s usr/lib "$dir/lib"
	fi
	for vmlinuz in "boot/vmlinuz-$release-amd64" "lib/modules/$release-amd64/vmlinuz"{,.unsigned}; do
		if [ -e "$dir/$vmlinuz" ]; then
			ln -s "$vmlinuz" "$dir/vmlinuz"
			break
		fi
	done
	[ -e "$dir/vmlinuz" ] || die "the packages of kernel $release-amd64 hold no boot image where this script looks for it (boot/vmlinuz-*, lib/modules/*/vmlinuz*)"
	PATH="$PATH:/sbin:/usr/sbin" depmod -b "$dir" "$release-amd64"
	printf '%s\n' "$release-amd64" >"$dir/release"
}

# fill_headers DIR: the header packages name each other by absolute paths, which
# hold only when they are installed; let them name the place they are unpacked to.
fill_headers() {
	local dir="$1" packages
	note "unpacking the headers of kernel $release-amd64 of Debian $suite"
	packages=("linux-headers-$release-amd64" "linux-headers-$release-common" "linux-kbuild-$release")
	if apt_has "$suite" "linux-base-$release-amd64"; then
		packages+=("linux-base-$release-amd64")
	fi
	apt_unpack "$suite" "$dir" "${packages[@]}"
	fix_paths "$dir"
}

# fix_paths DIR: DIR is still under its temporary name, the paths become those
# of its final place.
fix_paths() {
	local dir="$1" file link target to="${entry//[&#\\]/\\&}"
	grep -rlIE --exclude-dir=include '(^|[^[:alnum:]._/-])/usr/(src|lib)/(linux-(headers|kbuild)|modules)' \
		"$dir"/usr/src/*-amd64 | while read -r file; do
		sed -i -E "s#(^|[^[:alnum:]._/-])(/usr/(src|lib)/(linux-(headers|kbuild)|modules))#\\1$to\\2#g" "$file"
	done || true
	find "$dir" -type l -lname '/usr/*' | while read -r link; do
		target="$(readlink "$link")"
		ln -sfn "$entry$target" "$link"
	done
}

# fill_source DIR: the tree itself, without the tar archive's leading folder.
fill_source() {
	local dir="$1" tmp="$1/.deb"
	note "unpacking the source of kernel $series of Debian $suite"
	mkdir "$tmp"
	apt_unpack "$suite" "$tmp" "linux-source-$series"
	tar -C "$dir" --strip-components=1 -xf "$tmp"/usr/src/linux-source-*.tar.xz
	rm -rf "$tmp"
}

apt_fresh "$suite"
release="$(newest_release)"
if [ "$what" = release ]; then
	printf '%s-amd64\n' "$release"
	exit
fi
entry="$CACHE/kernels/$base/$release/$what"
cache_entry "$entry" "fill_$what"
case "$what" in
headers) printf '%s\n' "$entry/usr/src/linux-headers-$release-amd64" ;;
*) printf '%s\n' "$entry" ;;
esac
