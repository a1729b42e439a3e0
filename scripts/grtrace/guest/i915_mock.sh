#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In a guest whose kernel has i915 and grtrace built in, was given
#
#	i915.mock_selftests=-1 grtrace.start=1 grtrace.config="n_subbufs=N ..."
#
# and so recorded i915's own mock selftests while it booted: stops the session,
# reads it, and has intree/i915_mock.pl check that the requests of these tests are
# in it with all that became of them.  Prints TAP lines.
#
# Usage: i915_mock.sh TOOLS
#
#   TOOLS  the folder with grparse (tools.sh prints it)
files=/sys/kernel/debug/grtrace

if [ $# != 1 ] || [ ! -x "$1/grparse" ]; then
	echo "usage: i915_mock.sh TOOLS" >&2
	exit 2
fi
PATH="$1:$PATH"
out="$(mktemp -d)" || exit 1
trap 'rm -rf "$out"' EXIT

if [ "$(cat $files/control 2>&1)" != running ]; then
	echo "there is no session: see the usage for what the kernel must be given" >&2
	exit 1
fi
echo stop >$files/control || exit 1
dmesg >"$out/log"
for file in stats events_by_type rings; do
	cat $files/$file >"$out/$file"
done
for file in "$files"/trace*; do
	cpu="${file##*trace}"
	# what the records' ids mean, before the first of them
	[ "$cpu" != 0 ] || cat $files/metadata >"$out/run.grtrace.0"
	cat "$file" >>"$out/run.grtrace.$cpu" || exit 1
done
perl "$(dirname "$0")/../intree/i915_mock.pl" "$out"
