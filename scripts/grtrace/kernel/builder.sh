#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command in the userland that a kernel base is built in: a kernel's
# headers contain programs that were linked for its Debian suite and need that
# suite's compiler.  If this machine has another suite, it uses a cached chroot, in
# which this checkout, the cache and the working directory have the same paths as
# outside.
#
# Usage: builder.sh BASE -- CMD...
#
#   BASE  6.12, 6.12-bookworm, 6.12-trixie, 7.3
#
# Exit status: the command's.
. "$(dirname "$0")/../lib/use.sh" cache apt base chroot

options '' "$@"
if [ $# -lt 3 ] || [ "$2" != -- ]; then
	usage_error "needs BASE -- CMD..."
fi
base="$(base_name "$1")"
shift 2
suite="$(base_suite "$base")"

if [ "$suite" = "$(host_suite)" ]; then
	"$here/deps.sh" module
	exec "$@"
fi
"$here/deps.sh" vm			# mmdebstrap, unshare
dir="$(chroot_path "$suite")"
# The kernels of planted.sh's cache are links into another.
kernels="$(readlink -f "$CACHE/kernels")"
mapfile -t binds < <(printf '%s\n' "$checkout" "$CACHE" "${kernels%/*}" "$PWD" | sort -u)
chroot_run "$dir" "${binds[@]}" -- "$@"
