#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Records the stored captures golden-* again, each on the kernel that its README names: after a
# change of the format, when upgrade.py cannot know what the kernel would have written. Then
# "scripts/grtrace/tools.sh golden" writes what is printed of them, for a review.
#
# Usage: record.sh BASE [FOLDER]
#
#   BASE     6.12 or 7.3; it is booted in a guest, with our modules
#   FOLDER   what was recorded is written there, as NAME/x.grtrace.<cpu>.xz
#            (default: where this script is)
set -e
here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../../../../scripts/grtrace

if [ -z "$GRTRACE_OUT" ]; then
	base=$1
	to=${2:-$here}
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	tools=$("$scripts/tools.sh")
	gcc -O2 -pthread -I"$here/../../../../include/uapi" -o "$work/mockload" \
		"$here/../../../testing/selftests/grtrace/mockload.c"
	"$scripts/guest/vm.sh" --share "$work" --modules-dir "$("$scripts/kernel/modules.sh" "$base")" "$base" -- \
		env PATH="$tools:$PATH" sh "$here/record.sh" "$base"
	for capture in "$work"/golden-*; do
		name=$(basename "$capture")
		mkdir -p "$to/$name"
		rm -f "$to/$name"/x.grtrace.*
		cp "$capture"/x.grtrace.* "$to/$name/"
		xz -f "$to/$name"/x.grtrace.*
	done
	exit
fi

# ------------------------------------------------------------------ in the guest
files=/sys/kernel/debug/grtrace
load=$GRTRACE_OUT/mockload

# Every load is a command of this script, in the guest, so that a recorder can run it.
mock() { # OPTIONS: 60 jobs
	"$load" --jobs 60 --duration 400 --procs 2 --ctxs 2 --seed 7 "$@"
}

bursts() { # COUNT AT_ONCE PAUSE: as many jobs, so many in one write
	for first in $(seq 1 "$2" "$1"); do
		for seq in $(seq "$first" $((first + $2 - 1))); do
			printf '%s 100 copy 3 %d\n' submit "$seq" complete "$seq"
		done >"$GRTRACE_OUT/lines"
		cat "$GRTRACE_OUT/lines" >$files/emit
		sleep "$3"
	done
}

every() { # a message; events of all types, by nine jobs, four of which have contexts above 2^32
	grtrace msg a line of text
	for job in $(seq 9); do
		ctx=$((job < 6 ? 7 : 1099511627776 + job))
		key="$ctx copy 3 $job"
		for line in "submit $key client=4 arg=1" "dep $key fence=7:1" "blocked $key fence=7:1" \
			"pick $key" "commit $key fence=1007:$job" "start $key" "wait_enter $ctx unknown 0 $job" \
			"irq $key" "end $key" "fence 1007 unknown 0 $job" "complete $key" \
			"wait_exit $ctx unknown 0 $job arg=65426"; do	# -ETIMEDOUT
			echo "$line"
		done >$files/emit
		[ $((job % 3)) != 0 ] || echo "ctx_switch $key fence=7:1 arg=1" >$files/emit
	done
	printf '%s\n' "submit 8 copy 3 1 command=2 fence=8:1" "end 8 copy 3 1 response=1" \
		"queue_state 9 copy 3 0 client=4 state=0 reason=1" "queue_state 9 copy 3 0 client=4 state=1" >$files/emit
	for kind in 0 1 2 3 4 5 6; do
		echo "error 1 render 70 1 kind=$kind code=-5 pid=1 comm=init text=of kind $kind" >$files/emit
	done
}

sampled() { # all jobs at first, then one of four
	mock --jobs 40
	echo sample=4 >$files/config
	mock --jobs 80
}

flight() { # a snapshot, and what overwrites it
	bursts 40 40 0
	grtrace snapshot --take -D "$GRTRACE_OUT/golden-snapshot" -o x --discard
	bursts 800 40 0
	echo "submit 101 copy 3 1" >$files/emit
}

# recorded NAME [OPTIONS...] -- LOAD...: beside a load. 3 is the status of a capture with losses.
recorded() {
	capture=$GRTRACE_OUT/golden-$1 options=
	shift
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	mkdir -p "$capture"
	cd "$capture"
	# shellcheck disable=SC2086 # words
	grtrace record -o x $options -- sh "$here/record.sh" load "$@" || [ $? = 3 ]
}

if [ "$1" = load ]; then
	shift
	"$@"
	exit
fi
# shellcheck source=tools/testing/selftests/grtrace/modules.sh
. "$here/../../../testing/selftests/grtrace/modules.sh"
modules_load
# The same load, twice at the same time.
mkdir "$GRTRACE_OUT/golden-tracefs-$1"
grtrace record --source tracefs -D "$GRTRACE_OUT/golden-tracefs-$1" -o x &
until grep -qsx 1 /sys/kernel/tracing/instances/grtrace.$!.*/tracing_on; do sleep 0.1; done
recorded "module-$1" -- mock --depends --error-every 25
kill -INT $!
wait $!
if [ "$1" = 7.3 ]; then
	recorded lost-7.3 -b 4 -n 2 -- bursts 760 760 0
	recorded sample-7.3 --sample 4 -- mock --jobs 120 --depends
else
	recorded emit -- every
	recorded limit --rate 40 -- bursts 400 40 0.2
	recorded lost -b 4 -n 2 -- bursts 400 400 0
	recorded sample -- sampled
	echo sample=1 >$files/config
	recorded overwrite --mode overwrite -b 4 -n 2 -- flight
	mkdir "$GRTRACE_OUT/golden-annotate"
	grtrace annotate -o "$GRTRACE_OUT/golden-annotate/x.grtrace.0" -- sh "$here/record.sh" load mock --jobs 20
fi
