#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds a package of the kernel modules for dkms, which compiles them again for
# each kernel that Debian installs, and prints its path.
#
# Usage: dkms.sh [OUTDIR]
#        dkms.sh --install BASE    installs the package in a guest and lets dkms
#                                  build there, which takes minutes: as TAP.  BASE
#                                  is one of 6.12, 6.12-bookworm, 6.12-trixie, 7.3
#
#   OUTDIR  default: out
#
# Exit status: 0, or 1 if a test failed; 2 wrong usage.
. "$(dirname "$0")/../lib/use.sh" cache base debian result

base=''
options '--install:base' "$@"
set -- "${args[@]}"
[ -z "$base" ] || base="$(base_name "$base")"
[ $# -le 1 ] || usage_error "needs one folder at most"
cd "$checkout"

version="$(debian_version)"
maintainer="$(debian_maintainer)"

# fill FILE: a template.
fill() { sed "s|@VERSION@|$version|; s|@MAINTAINER@|$maintainer|" "$here/kernel/package/$1"; }

# modules: what the Makefile builds outside of a kernel.
modules() {
	sed -nE 's/^CONFIG_(GRTRACE[A-Z0-9_]*)[[:space:]]*:= m$/\1/p' drivers/gpu/grtrace/Makefile |
		while read -r option; do
			sed -nE "s/^obj-\\\$\\(CONFIG_$option\\) \\+= ([a-z0-9_]+)\\.o\$/\\1/p" drivers/gpu/grtrace/Makefile
		done
}

# sources DIR: as they are in the package, below /usr/src.
sources() {
	local dir="$1" number=0 name
	mkdir -p "$dir/drivers/gpu"
	git ls-files drivers/gpu/grtrace include | grep -v '^drivers/gpu/grtrace/tests/' |
		cpio -pdm --quiet "$dir"
	fill dkms.conf >"$dir/dkms.conf"
	for name in $(modules); do
		printf '%s\n' "BUILT_MODULE_NAME[$number]=\"$name\"" \
			"BUILT_MODULE_LOCATION[$number]=\"drivers/gpu/grtrace\"" \
			"DEST_MODULE_LOCATION[$number]=\"/updates/dkms\"" >>"$dir/dkms.conf"
		number=$((number + 1))
	done
	[ "$number" -gt 0 ] || die "drivers/gpu/grtrace/Makefile names no module to build outside of a kernel"
}

# package OUTDIR: prints the file.
package() {
	local root file
	mkdir -p "$1"
	file="$(cd "$1" && pwd)/grtrace-dkms_${version}_all.deb"
	root="$work/root"
	sources "$root/usr/src/grtrace-$version"
	mkdir -p "$root/DEBIAN" "$root/usr/share/doc/grtrace-dkms"
	cp "$here/package/debian/copyright" "$root/usr/share/doc/grtrace-dkms/"
	debian_changelog | gzip -9n >"$root/usr/share/doc/grtrace-dkms/changelog.gz"
	fill control >"$root/DEBIAN/control"
	for name in postinst prerm; do
		fill "$name" >"$root/DEBIAN/$name"
		chmod 755 "$root/DEBIAN/$name"
	done
	dpkg-deb --root-owner-group --build "$root" "$file" >&2
	printf '%s\n' "$file"
}

# For the guest's shell:
# shellcheck disable=SC2016
record='grtrace record -D "$GRTRACE_OUT" -o dkms -w 1 >/dev/null && grparse -q -i "$GRTRACE_OUT/dkms" >/dev/null && rm -f "$GRTRACE_OUT"/dkms*'

modules="$checkout/tools/testing/selftests/grtrace/modules.sh"

installs() {
	"$here/guest/vm.sh" --timeout 1800 "$base" -- sh -c "
		mkdir -p /run/own /run/work && cd /lib/modules/\$(uname -r) &&
		mount -t overlay -o lowerdir=.,upperdir=/run/own,workdir=/run/work overlay . && cd ../\$(uname -r) &&
		ln -sfn '$headers' build &&
		dpkg --force-depends -i '$deb' && dkms status grtrace &&
		modprobe grtrace_drm_sched && modprobe drm_shmem_helper && insmod '$mock' &&
		modinfo -n grtrace | grep updates/dkms && $record &&
		. '$modules' && modules_unload &&
		dpkg -r grtrace-dkms && ! modinfo grtrace"
}

if [ -z "$base" ]; then
	package "${1:-out}"
	exit
fi
"$here/deps.sh" module dkms
headers="$("$here/kernel/kernel.sh" "$base" headers)"
mock="$("$here/kernel/modules.sh" "$base")/grtrace_mock.ko"
release="$("$here/kernel/kernel.sh" "$base" release)"
deb="$(package "$work/deb")"
PATH="$("$here/tools.sh"):$PATH"
export PATH
holds "it installs, works and still works $release" installs
plan
