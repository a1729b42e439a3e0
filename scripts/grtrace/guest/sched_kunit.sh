#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In a guest: runs KUnit suites of the DRM scheduler, each in a session of its
# own and under tracefs as well.  Leaves a folder for each in $GRTRACE_OUT, for
# test/sched_kunit.py: results (KTAP), run.grtrace.<cpu>, tracefs.txt, and what the
# session counted: stats, events_by_type, rings.
#
# Usage: sched_kunit.sh PATTERN...
files=/sys/kernel/debug/grtrace
# Seconds for a suite; drm_sched_concurrent_tests takes four on an idle machine.
limit=150
kunit=/sys/kernel/debug/kunit

# hung: what the kernel knows about a suite that did not end.
hung() {
	echo "the suite did not end in $limit s; its results so far, and where its tasks are:"
	tail -n 20 "$kunit/$1/results"
	for task in /proc/[0-9]*/task/*; do
		stack="$(cat "$task/stack")"
		case "$stack" in
		*drm_*|*fence*|*kunit*|*grtrace*|*tracing*|*flush_work*|*p9_*)
			printf '%s (%s)\n%s\n' "$(cat "$task/comm")" "${task##*/}" "$stack" ;;
		esac
	done
}

# suite NAME: record it.
suite() {
	out="$GRTRACE_OUT/$1"
	mkdir -p "$out"
	cat >"$out/load" <<-LOAD
		echo begin >$files/msg
		echo 1 >$kunit/$1/run
		echo end >$files/msg
	LOAD
	timeout -k 10 $limit \
		trace-cmd record -o "$out/trace.dat" -C mono -b 32768 -e gpu_scheduler -e dma_fence \
		grtrace record -D "$out" -o run -b 1024 -n 16 --level verbose -- sh -e "$out/load" \
		>"$out/log" 2>&1
	case $? in
	0) ;;
	124|137) hung "$1" >>"$out/log" 2>&1; return 1 ;;
	*) return 1 ;;
	esac
	cat $kunit/"$1"/results >"$out/results"
	for file in stats events_by_type rings; do
		cat "$files/$file" >"$out/$file"
	done
	trace-cmd report -t -l -i "$out/trace.dat" >"$out/tracefs.txt" 2>>"$out/log" || return
	rm "$out/trace.dat" "$out/load"
}

for module in drm-sched-tests grtrace grtrace_dma_fence grtrace_drm_sched; do
	modprobe -q "$module"		# or built in
done
if [ ! -e $files/control ]; then
	echo "there is no grtrace in this kernel" >&2
	exit 1
fi
status=0
for pattern; do
	ran=
	# The pattern is one for the names of suites.
	# shellcheck disable=SC2231
	for path in $kunit/$pattern; do
		[ -d "$path" ] || continue
		ran=1
		suite "${path##*/}" || {
			cat "$out/log" >&2
			status=1
		}
	done
	if [ -z "$ran" ]; then
		echo "this kernel has no KUnit suite $pattern" >&2
		status=1
	fi
done
exit $status
