#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the virtual KMS driver from a kernel's own source, as a module for that
# kernel, and prints the folder that holds vkms.ko.  It has vblanks in any guest;
# Debian's packages are built without it (CONFIG_DRM_VKMS is not set).
#
# Usage: vkms.sh BASE
#
#   BASE  6.12, 6.12-bookworm, 6.12-trixie, 7.3
. "$(dirname "$0")/../lib/use.sh" cache base

options '' "$@"
[ $# = 1 ] || usage_error "needs a base"
base="$(base_name "$1")"
"$here/deps.sh" kernel module
source="$("$here/kernel/kernel.sh" "$base" source)"
kernel="$("$here/kernel/kernel.sh" "$base" headers)"
folder="$CACHE/modules/$("$here/kernel/kernel.sh" "$base" release)/vkms"

build_vkms() {
	[ ! -e "$folder/vkms.ko" ] || return 0
	mkdir -p "$folder"
	rsync -rpt "$source/drivers/gpu/drm/vkms/" "$folder/"
	cd "$folder"
	"$here/kernel/builder.sh" "$base" -- make -j "$(nproc)" -C "$kernel" M="$folder" CONFIG_DRM_VKMS=m modules \
		>"$folder/log" 2>&1 </dev/null || {
		cat "$folder/log" >&2
		die "vkms could not be built for $base: see the compiler's messages above"
	}
}

cache_lock "modules-${folder//\//_}" build_vkms
printf '%s\n' "$folder"
