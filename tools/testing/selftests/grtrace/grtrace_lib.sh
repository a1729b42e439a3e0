# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced first by the shell tests: one main loop, in which each test has an end,
# however this was started. A test sees what was set before run_tests; what it sets
# itself is its own. The files in $work are for all tests, one after the other.

# nohup ignores SIGHUP, and a shell in the background SIGINT; programs started here
# would inherit that.
if [ -z "$GRTRACE_SIGNALS" ]; then
	GRTRACE_SIGNALS=default LC_ALL=C exec env --default-signal "$0" "$@"
fi

# The tests are beside this file or in a folder below.
dir=$(cd "$(dirname "$0")" && pwd)
[ -e "$dir/grtrace_lib.sh" ] || dir=${dir%/*}
# shellcheck source=/dev/null
. "$dir/../kselftest/ktap_helpers.sh"
# shellcheck source=tools/testing/selftests/grtrace/modules.sh
. "$dir/modules.sh"
# shellcheck disable=SC2034 # of the tests
load="$dir/mockload"

# How long a test may take, seconds.
seconds_each=${GRTRACE_CASE_SECONDS:-300}

work=$(mktemp -d)
trap 'after; at_end; rm -rf "$work"' EXIT

# Functions that a test program may define: before each test; after it, whatever its
# result; at the end of all; and one that prints why a test makes no sense here, or
# nothing.
before() { :; } # TEST
after() { :; }
at_end() { :; }
why_not() { :; } # TEST

skip_all() { # REASON
	ktap_print_header
	ktap_skip_all "$1"
	exit "$KSFT_SKIP"
}

fail_all() { # REASON
	ktap_print_header
	ktap_exit_fail_msg "$1"
}

# A module that exists but cannot be loaded is a failure, which the tests report.
needs_modules() {
	modules_load >"$work/.modules" 2>&1 && return
	for name in grtrace $modules_sources grtrace_mock; do
		module_there "$name" || skip_all "there is no module $name"
	done
	sed 's/^/# /' "$work/.modules"
	fail_all "the modules cannot be loaded"
}

same() { # WHAT EXPECTED FOUND
	[ "$2" = "$3" ] && return
	echo "# $1: $3, not $2"
	return 1
}

says() { # FILE SENTENCE'S PART
	grep -qF -- "$2" "$1" && return
	echo "# no '$2' in:"
	sed 's/^/# /' "$1"
	return 1
}

# Waits until COMMAND is true, SECONDS at most; a slow kernel may need them.
wait_until() { # SECONDS COMMAND...
	most=$1
	shift
	for _ in $(seq $((most * 10))); do
		"$@" && return
		sleep 0.1
	done
	echo "# not true after $most s: $*"
	return 1
}

files=/sys/kernel/debug/grtrace

session_stat() { # NAME
	awk -v name="$1" '$1 == name { print $2 }' $files/stats
}

events_of() { # NAME
	awk -F, -v name="$1" '$2 == name { print $4 }' $files/events_by_type
}

session_running() {
	[ "$(cat $files/control)" = running ]
}

session_stop() {
	[ "$(cat $files/control)" != running ] || echo stop >$files/control
}

# Restores the state after loading the module; numbers are only added to lists.
configure_defaults() {
	echo "watch_ctx_clear=1 watch_ring_clear=1 watch_pid_clear=1" >$files/config &&
	cat "$dir/defaults" >$files/config
}

# Events that went nowhere: offered, less those written and those that were not,
# for each of the reasons. 0 unless a counter is wrong. Part of the sum is the kernel's
# own: an event that is lost before it is counted as offered is not seen here, and who
# wants to see it counts what is emitted.
session_unaccounted() {
	awk '
		$1 == "offered" { left += $2 }
		$1 ~ /^(written|sampled_out|rate_limited_drops|backpressure_drops)$/ ||
		$1 ~ /^(filtered_.*|writes_(reserve_fail|oversize|nmi))$/ { left -= $2 }
		END { print left + 0 }' $files/stats
}

# No session runs, and its counters add up.
session_settled() {
	session_stop
	[ "$(session_unaccounted)" -eq 0 ]
}

# Runs as long as its reader, in a process group of its own, so that its children end
# with it.
load_start() { # OPTIONS
	setsid "$dir/mockload" --jobs 100000000 "$@" >/dev/null 2>&1 &
	load_pid=$!
}

load_is_gone() {
	! pgrep -g "$load_pid" >/dev/null
}

load_end() {
	[ -n "$load_pid" ] || return 0
	# it may not have its session yet
	kill -- "-$load_pid" 2>/dev/null || kill "$load_pid" 2>/dev/null
	wait "$load_pid" 2>/dev/null
	wait_until 120 load_is_gone
	load_pid=
}

# Takes what the channels of all CPUs hold, to the file NAME.<cpu> of each.
session_take() { # NAME
	rm -f "$work/$1".[0-9]*
	for trace in "$files"/trace[0-9]*; do
		cat "$trace" >"$work/$1.${trace##*/trace}" || return 1
	done
}

# Prints the records of trace files in their order: gseq, time, CPU and event, of a job's
# event also its ctx, seqno and ring. stream_text.c has the rest.
records() { # FILE...
	"$dir/stream_text" "$@"
}

# Prints how many of the records on stdin are of this event, or of any.
count_events() { # [EVENT]
	awk -v event="$1" '$4 == event || event == "" && $4 != "note" && $4 != "message"' | wc -l
}

# Checks that everything that the kernel wrote was taken, the jobs of the load among it.
took_all() { # NAME JOBS
	records "$work/$1".[0-9]* >"$work/records" &&
	same "jobs submitted" "$2" "$(count_events submit <"$work/records")" &&
	same "events read" "$(session_stat written)" "$(count_events <"$work/records")" &&
	same "events lost" 0 "$(session_stat lost)"
}

# Ends process $1's descendants, except itself, after $2 seconds, and says so in $3.
# shellcheck disable=SC2016
watchdog='
descendants() {
	for pid in $(pgrep -P "$1"); do
		[ "$pid" = $$ ] || { echo "$pid"; descendants "$pid"; }
	done
}
sleep "$2"
pids=$(descendants "$1")
echo "# not done after $2 s; still running:" >"$3"
ps -o pid=,args= -p "$(echo $pids | tr " " ,)" | sed "s/^/#  /" >>"$3"
kill -TERM $pids
sleep 2
kill -KILL $pids'

# The kernel's own complaints so far: warnings, oopses, a bad page or KASAN, a lockup. A
# kernel without sysctls has no taint to read.
kernel_complaints() {
	cat /sys/kernel/warn_count /sys/kernel/oops_count
	[ ! -e /proc/sys/kernel/tainted ] ||
		echo $(($(cat /proc/sys/kernel/tainted) & (1 << 5 | 1 << 14)))
}

run_test() { # TEST
	complaints=$(kernel_complaints)
	sh -c "$watchdog" sh $$ "$seconds_each" "$work/.late" 2>/dev/null &
	watchdog_pid=$!
	# shellcheck disable=SC2086 # a test and its argument
	(
		trap after EXIT
		before "$1"
		$1
	)
	result=$?
	if [ -e "$work/.late" ]; then
		wait $watchdog_pid
		cat "$work/.late"
		rm -f "$work/.late"
		after
		return 1
	fi
	pkill -P $watchdog_pid
	kill $watchdog_pid 2>/dev/null
	wait $watchdog_pid 2>/dev/null
	same "what the kernel complains of" "$complaints" "$(kernel_complaints)" &&
	return $result
}

# Does not return. A TEST is a function, perhaps with an argument.
run_tests() { # TEST...
	ktap_print_header
	ktap_set_plan $#
	for test_name; do
		reason=$(why_not "$test_name")
		if [ -n "$reason" ]; then
			__ktap_test ok "$test_name" "SKIP $reason"
			KTAP_CNT_SKIP=$((KTAP_CNT_SKIP + 1))
		elif run_test "$test_name"; then
			ktap_test_pass "$test_name"
		else
			ktap_test_fail "$test_name"
		fi
	done
	if [ $((KTAP_CNT_PASS + KTAP_CNT_FAIL)) -eq 0 ]; then
		ktap_print_totals
		exit "$KSFT_SKIP"
	fi
	ktap_finished
}
