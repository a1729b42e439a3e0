#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel modules as a package for dkms, which builds them anew for each kernel
# that Debian installs: makes it, and prints where it is.  With --test, dkms builds
# it for a stock kernel, in folders of its own, and the modules are loaded in a
# guest with that kernel.
#
# Usage: dkms.sh [OUTDIR]
#        dkms.sh --test BASE       6.12, 6.12-bookworm, 6.12-trixie, 7.3: as TAP
#        dkms.sh --install BASE    installs the package in a guest and lets dkms
#                                  build there, which takes minutes: as TAP
#
#   OUTDIR  default: out
#
# Exit status: 0, or 1 where a test failed; 2 wrong usage.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
. "$here/lib/use.sh" report cache base

what=package
case "${1:-}" in
-h|--help) usage "$0"; exit ;;
--test|--install)
	[ $# = 2 ] || usage_error "$1 needs a base"
	what="${1#--}"
	base="$(base_name "$2")"
	shift 2 ;;
-*) usage_error "unknown option '$1'" ;;
esac
[ $# -le 1 ] || usage_error "needs one folder at most"
cd "$here/../.."

# The commit's day and time: it only grows, and each commit has its own.
version="0.$(TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M%S --format=%cd)"
maintainer="$(git log -1 --format='%an <%ae>')"

# fill FILE: a template.
fill() { sed "s|@VERSION@|$version|; s|@MAINTAINER@|$maintainer|" "$here/kernel/package/$1"; }

# modules: what the Makefile builds outside of a kernel.
modules() {
	sed -nE 's/^CONFIG_(GRTRACE[A-Z0-9_]*)[[:space:]]*:= m$/\1/p' drivers/gpu/grtrace/Makefile |
		while read -r option; do
			sed -nE "s/^obj-\\\$\\(CONFIG_$option\\) \\+= ([a-z0-9_]+)\\.o\$/\\1/p" drivers/gpu/grtrace/Makefile
		done
}

# sources DIR: as they lie in the package, below /usr/src.
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
	cp COPYING "$root/usr/share/doc/grtrace-dkms/copyright"
	fill control >"$root/DEBIAN/control"
	for name in postinst prerm; do
		fill "$name" >"$root/DEBIAN/$name"
		chmod 755 "$root/DEBIAN/$name"
	done
	dpkg-deb --root-owner-group --build "$root" "$file" >&2
	printf '%s\n' "$file"
}

number=0 failed=0
# try NAME CMD...: one line of TAP.
try() {
	local name="$1" status=0; shift
	number=$((number + 1))
	"$@" >"$work/log" 2>&1 || status=$?
	if [ "$status" = 0 ]; then
		echo "ok $number - $name"
	else
		sed 's/^/# /' "$work/log" | tail -n 30
		echo "not ok $number - $name: exit status $status"
		failed=1
	fi
}

# dkms_here ACTION...: with folders of its own, for the kernel of the base.
dkms_here() {
	dkms "$@" --dkmstree "$work/dkms" --sourcetree "$work/src" --installtree "$work/installed" \
		-k "$release" --kernelsourcedir "$headers" "grtrace/$version"
}

build_here() {
	mkdir -p "$work/dkms" "$work/installed"
	dpkg-deb -x "$deb" "$work/unpacked" && mv "$work/unpacked/usr/src" "$work/src" &&
		dkms_here add && dkms_here build
}

# all_built: each module that was promised, and for this kernel.
all_built() {
	local name ko
	mkdir -p "$work/ko"
	for name in $(modules); do
		ko="$(find "$work/dkms" -name "$name.ko*" -path '*/module/*' | head -n 1)"
		[ -n "$ko" ] || { echo "dkms built no $name"; return 1; }
		case "$ko" in
		*.xz) xz -dc "$ko" >"$work/ko/$name.ko" ;;
		*.zst) zstd -qdc "$ko" >"$work/ko/$name.ko" ;;
		*) cp "$ko" "$work/ko/$name.ko" ;;
		esac
		modinfo -F vermagic "$work/ko/$name.ko" | grep -F "$release " || return 1
	done
}

# For the guest's shell:
# shellcheck disable=SC2016
record='grtrace record -D "$GRTRACE_OUT" -o dkms -w 1 >/dev/null && grparse -q -i "$GRTRACE_OUT/dkms" >/dev/null && rm -f "$GRTRACE_OUT"/dkms*'

modules="$(cd "$here/../../tools/testing/selftests/grtrace" && pwd)/modules.sh"

loads() {
	"$here/guest/vm.sh" --modules-dir "$work/ko" "$base" -- sh -c ". '$modules' && modules_load && $record"
}

installs() {
	"$here/guest/vm.sh" --timeout 1800 "$base" -- sh -c "
		mkdir -p /run/own /run/work && cd /lib/modules/\$(uname -r) &&
		mount -t overlay -o lowerdir=.,upperdir=/run/own,workdir=/run/work overlay . && cd ../\$(uname -r) &&
		ln -sfn '$headers' build &&
		dpkg --force-depends -i '$deb' && dkms status grtrace &&
		modprobe grtrace_mock && modprobe grtrace_drm_sched &&
		modinfo -n grtrace | grep updates/dkms && $record &&
		. '$modules' && modules_unload &&
		dpkg -r grtrace-dkms && ! modinfo grtrace"
}

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if [ "$what" = package ]; then
	package "${1:-out}"
	exit
fi
"$here/deps.sh" module dkms
headers="$("$here/kernel/kernel.sh" "$base" headers)"
release="$("$here/kernel/kernel.sh" "$base" release)"
deb="$(package "$work/deb")"
PATH="$("$here/tools.sh"):$PATH"
export PATH
echo "TAP version 13"
if [ "$what" = test ]; then
	echo "1..3"
	try "dkms builds it for $release" build_here
	try "all modules are there" all_built
	try "they load and record" loads
else
	echo "1..1"
	try "it installs, works and goes on $release" installs
fi
[ "$failed" = 0 ]
