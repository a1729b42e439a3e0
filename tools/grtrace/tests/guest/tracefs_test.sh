#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The recorder without our modules: from the kernel's own trace events. The mock
# GPU is ours, but the kernel's scheduler drives it, which knows nothing of us.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

instances=/sys/kernel/tracing/instances
load="$dir/mockload"
record_pid=

after() {
	[ -z "$record_pid" ] || kill -9 "$record_pid" 2>/dev/null
}

no_instance() {
	same "instances left" "" \
	     "$(find $instances -maxdepth 1 -name 'grtrace.*')"
}

record() { # OPTIONS
	grtrace record --source tracefs -D "$work" -o run "$@" \
		>"$work/out" 2>"$work/err"
}

tracing() {
	grep -qsx 1 $instances/grtrace."$record_pid".*/tracing_on
}

record_start() { # OPTIONS
	grtrace record --source tracefs -D "$work" -o run "$@" \
		>"$work/out" 2>"$work/err" &
	record_pid=$!
	wait_until 120 tracing && return
	sed 's/^/# /' "$work/err"
	return 1
}

record_end() { # SIGNAL
	kill -"$1" "$record_pid"
	wait "$record_pid"
	status=$?
	record_pid=
	same "exit status" 0 $status && no_instance
}

# Events of a kind in the capture.
events() { # LETTER
	grparse -q -f '%a\n' -i "$work/run" | grep -cx "$1"
}

# The figures of the end table: events, and dropped events.
total() {
	awk '/^  Total:/ { print $2 }' "$work/out" "$work/err"
}

dropped() {
	sed -n 's/^  Total:.*dropped \([0-9]*\)).*/\1/p' "$work/out" "$work/err"
}

no_fault() {
	grtrace verify -i "$work/run" >"$work/verify" && return
	sed 's/^/# /' "$work/verify"
	return 1
}

# As on a machine where grtrace was just installed.
by_default() {
	modules_unload || return 1
	grtrace record -D "$work" -o run -w 1 >"$work/out" 2>"$work/err"
	ret=$?
	modules_load || return 1
	same "exit status" 0 $ret &&
	says "$work/err" "from tracefs, as the module grtrace is not loaded" &&
	grtrace report --full -i "$work/run" >"$work/report" &&
	says "$work/report" "recorded from tracefs" && no_instance || return 1
	# ... and what is not there is named
	[ -d /sys/kernel/tracing/events/i915 ] ||
	says "$work/err" "not recorded, because these drivers are not loaded"
}

jobs_are_whole() {
	record -- "$load" --jobs 400 --procs 2 --ctxs 2 --depends \
		--duration 20 --seed 5 || return 1
	for kind in Q I D E C; do
		same "$kind" 400 "$(events $kind)" || return 1
	done
	grtrace report --full -i "$work/run" >"$work/report" &&
	says "$work/report" "Jobs: 400 seen, 0 incomplete" &&
	[ "$(events UN)" -gt 0 ] && same "dropped" 0 "$(dropped)" &&
	no_fault && no_instance
}

tasks_have_names() {
	record -- "$load" --jobs 50 --duration 20 || return 1
	same "submitters" mockload \
	     "$(grparse -q -a Q -f '%C\n' -i "$work/run" | sort -u)"
}

ends_by_signal() {
	for signal in INT TERM; do
		record_start || return 1
		"$load" --jobs 40 --duration 20 >/dev/null || return 1
		record_end $signal && same "jobs" 40 "$(events C)" || return 1
	done
}

ends_with_its_command() {
	record -- sh -c "'$load' --jobs 20 --duration 20; exit 7"
	same "exit status" 7 $? && same "jobs" 20 "$(events C)" && no_instance
}

through_a_pipe() {
	grtrace record --source tracefs -o - -- "$load" --jobs 200 \
		--duration 20 2>"$work/err" >"$work/stream" &&
	grparse -q -v -f '%g %a\n' -i - <"$work/stream" >"$work/text" &&
	same "jobs" 200 "$(grep -c ' C$' "$work/text")" &&
	no_gaps "$work/text" &&
	says "$work/err" "dropped 0"
}

# The reader stands still. 6 events a job at least, and each is there or reported
# as lost.
loss_is_accounted() {
	record_start --strict -b 4 -n 2 || return 1
	kill -STOP "$record_pid"
	"$load" --jobs 1000 --duration 1 >/dev/null
	ret=$?
	kill -CONT "$record_pid"
	kill -INT "$record_pid"
	wait "$record_pid"
	status=$?
	record_pid=
	same "exit status of the load" 0 $ret &&
	same "exit status" 3 $status || return 1
	lost=$(dropped)
	read_lost=$(grtrace verify -i "$work/run" |
		sed -n 's/^Lost: \([0-9,]*\) records.*/\1/p' | tr -d ,)
	echo "# $(total) events, $lost lost"
	[ "$lost" -gt 0 ] && same "lost" "$lost" "$read_lost" &&
	[ $(($(total) + lost)) -ge 6000 ] && no_instance
}

flight_recorder() {
	record --mode overwrite -b 4 -n 2 -- "$load" --jobs 500 --duration 1 &&
	says "$work/err" "older events were overwritten" &&
	same "dropped" 0 "$(dropped)" && no_fault || return 1
	# Each of the 4 rings had 125. The last jobs are there. Not all of the
	# first are: a processor with little to do still has its part of that.
	grparse -q -f '%a %S\n' -i "$work/run" | grep -v '^m\|^FS' | cut -d' ' -f2 |
		sort -n >"$work/seqnos" &&
	same "the last job's number" 125 "$(tail -n 1 "$work/seqnos")" || return 1
	there=$(wc -l <"$work/seqnos")
	echo "# $there events of jobs are there; 500 whole jobs have 5 each at least"
	[ "$there" -gt 0 ] && [ "$there" -lt 2500 ]
}

only_some() {
	record -a submit -a complete --ring copy0 -- \
		"$load" --jobs 100 --duration 20 || return 1
	copies=$(awk -F, '$1 == "copy0" { print $2 }' "$work/out")
	same "submits" "$copies" "$(events Q)" &&
	same "completes" "$copies" "$(events C)" &&
	same "all of them" $((2 * copies)) "$(total)"
}

killed_one_is_cleaned_up() {
	record_start || return 1
	kill -9 "$record_pid"
	wait "$record_pid" 2>/dev/null
	left=grtrace.$record_pid
	record_pid=
	[ -n "$(find $instances -maxdepth 1 -name "$left.*")" ] || return 1
	record -w 1 && says "$work/err" "removed the tracefs instance $left" &&
	no_instance
}

# ... and a live one is left as it is.
two_at_once() {
	record_start || return 1
	grtrace record --source tracefs -D "$work" -o other -- \
		"$load" --jobs 50 --duration 20 >"$work/other" 2>&1 || return 1
	record_end INT && same "jobs" 50 "$(events C)" &&
	same "jobs of the other" 50 \
	     "$(grparse -q -f '%a\n' -i "$work/other" | grep -cx C)"
}

waiters_sleep_and_run() {
	record --sched -- "$load" --jobs 20 --duration 20000 || return 1
	[ "$(events WE)" -gt 0 ] || return 1
	grparse -q -a m -f '%m\n' -i "$work/run" >"$work/text"
	says "$work/text" sleeps && says "$work/text" "is woken" &&
	says "$work/text" runs
}

# By the event that is enabled last, of a new kernel or an old one.
scheduler_is_traced() {
	grep -qsx 1 $instances/grtrace.*/events/gpu_scheduler/drm_sched_job_done/enable \
		$instances/grtrace.*/events/gpu_scheduler/drm_sched_process_job/enable
}

# A driver that is loaded while it records is seen from the next second on.
driver_comes_later() {
	modules_unload && rmmod gpu-sched || return 1
	record_start && modules_load || return 1
	wait_until 120 scheduler_is_traced || return 1
	"$load" --jobs 40 --duration 20 >/dev/null || return 1
	record_end INT && same "jobs" 40 "$(events C)" &&
	grtrace report --full -i "$work/run" >"$work/report" &&
	grep -qE '^Coverage: .*drm_sched(,|$)' "$work/report"
}

# The kernel copies into ours what programs write into the trace of all.
markers_are_recorded() {
	marker=/sys/kernel/tracing/trace_marker
	record -- sh -c "echo 'B|70|frame 1' >$marker &&
		'$load' --jobs 5 --duration 20 && echo 'E|70' >$marker" || return 1
	grparse -q -a m -f '%C %m\n' -i "$work/run" >"$work/text"
	says "$work/text" "sh mark kind=begin pid=70 name=frame 1" &&
	says "$work/text" "sh mark kind=end pid=70" && same "jobs" 5 "$(events C)" &&
	no_fault && no_instance
}

before() { # TEST
	rm -f "$work"/*
}

why_not() { # TEST
	case $1 in
	by_default) ! module_built_in grtrace || echo "grtrace is built in" ;;
	driver_comes_later)
		[ -e /sys/module/gpu_sched/refcnt ] || echo "the scheduler is built in"
		;;
	markers_are_recorded)
		[ -e /sys/kernel/tracing/options/copy_trace_marker ] ||
			echo "the kernel does not copy markers"
		;;
	esac
}

needs grtrace grparse
needs_modules
run_tests by_default jobs_are_whole tasks_have_names ends_by_signal \
	ends_with_its_command through_a_pipe loss_is_accounted flight_recorder \
	only_some killed_one_is_cleaned_up two_at_once waiters_sleep_and_run \
	driver_comes_later markers_are_recorded
