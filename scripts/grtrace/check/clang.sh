#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the modules with clang and W=1.  Debian's headers belong to a kernel
# that gcc built, and hold flags that clang does not know; so the kernel's source
# is prepared with the part of Debian's configuration that clang accepts.
#
# Usage: check/clang.sh BASE
#
#   BASE  6.12, 6.12-bookworm, 6.12-trixie, 7.3
. "$(dirname "$0")/../lib/use.sh" cache base

# 7.3 needs LLVM 17; this one is in Debian 12 and 13.
CLANG=clang-19

options '' "$@"
[ $# = 1 ] || usage_error "needs a base"
base="$(base_name "$1")"
"$here/deps.sh" check kernel
source="$("$here/kernel/kernel.sh" "$base" source)"
headers="$("$here/kernel/kernel.sh" "$base" headers)"
release="$("$here/kernel/kernel.sh" "$base" release)"

# fill_prepared DIR: all that building external modules asks for, and what the
# kernel exports.  Without vmlinux there is no BTF.
fill_prepared() {
	local dir="$1"
	note "preparing the source of kernel $release for $CLANG"
	cp "$headers/.config" "$dir/"
	"$source/scripts/config" --file "$dir/.config" -d DEBUG_INFO_BTF
	if ! {
		make -s -C "$source" O="$dir" CC="$CLANG" olddefconfig &&
			make -s -j "$(nproc)" -C "$source" O="$dir" CC="$CLANG" modules_prepare
	} >"$dir/log" 2>&1 </dev/null; then
		tail -n 40 "$dir/log" >&2
		die "the source of kernel $release could not be prepared for $CLANG"
	fi
	cp "$headers/Module.symvers" "$dir/"
	# The name that it has until it is whole.
	sed -i "s#$dir#$prepared#" "$dir/Makefile"
}

prepared="$CACHE/kernels/$base/${release%-amd64}/$CLANG"
cache_entry "$prepared" fill_prepared
MAKEFLAGS=" -- CC=$CLANG" exec "$here/kernel/modules.sh" "$prepared"
