#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In a guest whose kernel has i915 and grtrace built in, was given
#
#	i915.mock_selftests=-1 grtrace.start=1 grtrace.config="n_subbufs=N ..."
#
# and so recorded i915's own mock selftests while it booted: stops the session and
# saves it, with the kernel log and counters, for test/i915_mock.py.
#
# Usage: i915_mock.sh FOLDER
files=/sys/kernel/debug/grtrace

if [ $# != 1 ] || [ ! -d "$1" ]; then
	echo "usage: i915_mock.sh FOLDER" >&2
	exit 2
fi
out="$1"
if [ "$(cat $files/control 2>&1)" != running ]; then
	echo "there is no session: see the usage for what the kernel must be given" >&2
	exit 1
fi
echo stop >$files/control && dmesg >"$out/log" || exit 1
for file in stats events_by_type rings; do
	cat $files/$file >"$out/$file" || exit 1
done
for file in "$files"/trace*; do
	cpu="${file##*trace}"
	# what the records' ids mean, before the first of them
	[ "$cpu" != 0 ] || cat $files/metadata >"$out/run.grtrace.0" || exit 1
	cat "$file" >>"$out/run.grtrace.$cpu" || exit 1
done
