#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The recorder and the reader with the real channel: what is recorded is what
# the kernel counted, however the recording ends.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

cpu1=/sys/devices/system/cpu/cpu1/online
power=/sys/power

after() {
	[ -z "$record_pid" ] || kill -9 "$record_pid" 2>/dev/null
	load_end
	[ ! -e $files ] || echo stop >$files/control 2>/dev/null
	umount "$work/small" 2>/dev/null
	[ ! -w $cpu1 ] || echo 1 >$cpu1 2>/dev/null
	[ ! -w $power/pm_test ] || echo none >$power/pm_test
}

ends_by_signal() {
	for signal in INT TERM HUP; do
		record_start run || return 1
		"$load" --jobs 200 --duration 20 >/dev/null || return 1
		record_end $signal && recorded_all run 200 || return 1
	done
}

ends_by_stopwatch() {
	load_start --duration 20000
	grtrace record -D "$work" -o run -w 3 >"$work/out" 2>"$work/err"
	status=$?
	load_end
	same "exit status" 0 $status && ! session_running &&
	submitted=$(events_of submit) && [ "$submitted" -gt 0 ] && recorded_all run "$submitted"
}

ends_with_its_command() {
	grtrace record -D "$work" -o run --clock boot -- "$load" --jobs 200 --duration 20 \
		>"$work/out" 2>"$work/err" &&
	! session_running && recorded_all run 200
}

# One stream for all CPUs: the reader's order is exact, and nothing is missing.
through_a_pipe() {
	grtrace record -o - -- "$load" --jobs 500 --procs 2 --duration 20 \
		2>"$work/err" >"$work/stream" &&
	grparse -q -v -f '%g %a\n' -i - <"$work/stream" >"$work/text" &&
	same "events" "$(session_stat written)" "$(grep -cvE ' m' "$work/text")" &&
	no_gaps "$work/text" &&
	says "$work/err" "dropped 0"
}

has_jobs() {
	grep -q " Q " "$work/live"
}

# The text appears while the load still runs.
live() {
	load_start --duration 2000
	grtrace -o - 2>"$work/err" | grparse -i - >"$work/live" 2>"$work/perr" &
	wait_until 120 session_running && wait_until 120 has_jobs
	ret=$?
	kill -0 $load_pid || ret=1
	grtrace stop >/dev/null || ret=1
	load_end
	wait
	return $ret
}

# The reader of the pipe exits: the session must not be left running.
broken_pipe() {
	load_start --duration 2000
	grtrace record -o - 2>"$work/err" | head -c 4096 >/dev/null
	ret=0
	wait_until 120 not_running || ret=1
	load_end
	[ $ret -eq 0 ] && says "$work/err" "went away"
}

not_running() {
	! session_running
}

# The tables come before the first job.
has_recorded() {
	grparse -q -i "$work/run" 2>/dev/null | grep -qF " Q "
}

# All records except the one in whose middle the file may end.
can_be_read() {
	grparse -q -i "$work/run" >"$work/out" 2>"$work/err" ||
		says "$work/err" "the file ends inside a record" || return 1
	says "$work/out" " Q "
}

# Nothing could stop the session, so it continues, and its data is still there.
killed() {
	record_start run -b 16 || return 1
	load_start --duration 2000
	wait_until 120 has_recorded && kill -KILL "$record_pid"
	ret=$?
	wait "$record_pid"
	record_pid=
	load_end
	[ $ret -eq 0 ] && session_running || return 1
	offered=$(session_stat offered)
	"$load" --jobs 20 --duration 10 >/dev/null
	[ "$(session_stat offered)" -gt "$offered" ] || return 1
	check 0 "" grtrace record -k && not_running && can_be_read || return 1
	rm -f "$work"/run.*
	record_start run && "$load" --jobs 20 --duration 10 >/dev/null &&
	record_end INT && recorded_all run 20
}

# The recorder is stopped: events without room are lost, and reported where they were
# lost.
stopped_reader() {
	record_start run -b 4 -n 2 || return 1
	kill -STOP "$record_pid"
	"$load" --jobs 1000 --duration 10 >/dev/null
	kill -CONT "$record_pid"
	"$load" --jobs 10 --duration 10 >/dev/null
	kill -INT "$record_pid"
	wait "$record_pid"
	status=$?
	record_pid=
	same "exit status" 0 $status || return 1
	lost=$(session_stat lost)
	[ "$lost" -gt 0 ] || return 1
	says "$work/err" "dropped events" || return 1
	grparse -i "$work/run" >"$work/text" 2>&1
	told=$(sed -n 's/^Lost: .* reported lost: \([0-9,]*\) events.*/\1/p' \
	       "$work/text" | tr -d ,)
	same "events read" "$(session_stat written)" \
	     "$(letters run | wc -l)" &&
	same "events lost, by LOST records" "$lost" "$told"
}

full_disk() {
	mkdir -p "$work/small" &&
	mount -t tmpfs -o size=64k grtrace "$work/small" || return 1
	load_start --duration 2000
	check 1 "" grtrace record -D "$work/small" -o run -w 60
	ret=$?
	load_end
	[ $ret -eq 0 ] && ! session_running && says "$work/err" "No space left" || return 1
	grparse -q -i "$work/small/run" >"$work/text" 2>/dev/null
	says "$work/text" " Q "
}

unknown_device() {
	check 1 "card99" grtrace record -d card99 -D "$work" &&
	! session_running
}

# -d with the mock's card records it.
device_option() {
	card=$(basename /sys/bus/platform/devices/grtrace_mock.0/drm/renderD*)
	grtrace record -D "$work" -o run -d "$card" -- \
		"$load" --jobs 100 --duration 20 >"$work/out" 2>"$work/err" &&
	echo filter_device=all >$files/config &&
	same "submit events" 100 "$(events_of submit)"
}

not_loaded() {
	modules_unload || return 1
	check 1 "" grtrace record --source relay -D "$work" &&
	says "$work/err" modprobe
	ret=$?
	modules_load && return $ret
}

start_status_stop() {
	grtrace start >/dev/null && grtrace status >"$work/text" &&
	says "$work/text" running && says "$work/text" "version module" &&
	! grep -e "module NA" -e DIFFER "$work/text" &&
	grtrace config filter_ring_id=2 && grtrace config >"$work/text" &&
	says "$work/text" filter_ring_id=2 &&
	check 1 "mode" grtrace config mode=overwrite &&
	check 1 "colour" grtrace config colour=red &&
	grtrace config filter_ring_id=0 && grtrace msg "a note" &&
	grtrace stop >/dev/null && check 1 "" grtrace stop
}

# Each with a file of the session before it open, until a start is refused; then COMMAND.
with_a_file_of_each() { # COMMAND...
	echo start 2>/dev/null >$files/control || { "$@"; return; }
	echo stop >$files/control && with_a_file_of_each "$@" 3<$files/trace0
}

with_each_snapshot() { # COMMAND...
	echo snapshot 2>/dev/null >$files/control || { "$@"; return; }
	with_each_snapshot "$@" 3<$files/snapshot
}

# An open file keeps its session or snapshot in memory. The number of these is limited.
files_that_stay_open() {
	with_a_file_of_each check 1 "files of too many earlier sessions open.*trace<cpu>" \
		grtrace start &&
	echo start >$files/control &&
	with_each_snapshot check 1 "earlier snapshots open.*/snapshot" grtrace snapshot &&
	session_settled
}

second_recorder_is_refused() {
	record_start run || return 1
	check 1 running grtrace record -D "$work" -o second || return 1
	[ ! -e "$work/second.grtrace.0" ] || return 1
	"$load" --jobs 100 --duration 20 >/dev/null || return 1
	record_end INT && recorded_all run 100
}

cpus_come_and_go() {
	record_start run || return 1
	"$load" --jobs 2000 --procs 2 --duration 20 >"$work/truth" &
	load_pid=$!
	turns=0
	while kill -0 $load_pid 2>/dev/null; do
		echo 0 >$cpu1 && echo 1 >$cpu1 || return 1
		turns=$((turns + 1))
	done
	echo "# the CPU went $turns times"
	wait $load_pid && load_pid= && [ $turns -gt 0 ] && record_end INT && recorded_all run \
		"$(awk -F, 'NR > 1 { n += $2 } END { print n + 0 }' "$work/truth")"
}

# The recorder is frozen with the machine's other tasks, and continues after them.
machine_sleeps() {
	record_start run && "$load" --jobs 100 --duration 20 >/dev/null || return 1
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	slept=$(cat $power/suspend_stats/success)
	echo freezer >$power/pm_test && echo freeze >$power/state
	echo none >$power/pm_test
	same "times that the machine slept" $((slept + 1)) "$(cat $power/suspend_stats/success)" &&
	"$load" --jobs 100 --duration 20 >/dev/null && record_end INT && recorded_all run 200
}

flight_recorder() {
	grtrace record -D "$work" -o run --mode overwrite -b 8 -n 4 -- \
		"$load" --jobs 2000 --duration 10 >"$work/out" 2>"$work/err" ||
		return 1
	configure_defaults
	kept=$(letters run | wc -l)
	same "lost" 0 "$(session_stat lost)" &&
	same "events kept" $(($(session_stat written) - $(session_stat overwritten))) "$kept"
}

# A recorder that was killed leaves its configuration: the small buffer of that test would
# lose events of a later one.
before() { # TEST
	rm -f "$work"/run.*
	configure_defaults
}

why_not() { # TEST
	case $1 in
	not_loaded) ! module_built_in grtrace || echo "grtrace is built in" ;;
	cpus_*) [ -w $cpu1 ] || echo "there is no CPU that can go" ;;
	machine_sleeps)
		[ -w $power/pm_test ] || echo "the kernel cannot try to sleep (CONFIG_PM_DEBUG)" ;;
	esac
}

needs grtrace grparse
needs_modules
session_stop
run_tests ends_by_signal ends_by_stopwatch ends_with_its_command through_a_pipe \
	live broken_pipe killed stopped_reader full_disk unknown_device \
	device_option not_loaded start_status_stop second_recorder_is_refused \
	cpus_come_and_go machine_sleeps \
	files_that_stay_open flight_recorder
