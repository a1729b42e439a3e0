# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced first by the shell tests: one main loop, in which each test has an end,
# however this was started. A test sees what was set before run_tests; what it sets
# itself is its own. The files in $work are for all tests, one after the other.

# nohup ignores SIGHUP, a shell in the background SIGINT, and so would what is
# started here.
if [ -z "$GRTRACE_SIGNALS" ]; then
	GRTRACE_SIGNALS=default LC_ALL=C exec env --default-signal "$0" "$@"
fi

# The tests lie beside this file or in a folder below.
dir=$(cd "$(dirname "$0")" && pwd)
[ -e "$dir/grtrace_lib.sh" ] || dir=${dir%/*}
# shellcheck source=/dev/null
. "$dir/../kselftest/ktap_helpers.sh"
# shellcheck source=tools/testing/selftests/grtrace/modules.sh
. "$dir/modules.sh"
# shellcheck source=tools/testing/selftests/grtrace/expect.sh
. "$dir/expect.sh"
# shellcheck source=tools/testing/selftests/grtrace/session.sh
. "$dir/session.sh"

# How long a test may take, seconds.
seconds_each=${GRTRACE_CASE_SECONDS:-300}

work=$(mktemp -d)
trap 'after; at_end; rm -rf "$work"' EXIT

# What a test program may have of its own: before each test, after it whatever became
# of it, at the end of all, and why a test makes no sense here, or nothing.
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

needs() { # PROGRAM...
	for tool; do
		command -v "$tool" >/dev/null || skip_all "there is no $tool"
	done
}

# A module that is there and cannot be loaded is what the tests are for.
needs_modules() {
	modules_load >"$work/.modules" 2>&1 && return
	for name in grtrace $modules_sources grtrace_mock; do
		module_there "$name" || skip_all "there is no module $name"
	done
	sed 's/^/# /' "$work/.modules"
	fail_all "the modules cannot be loaded"
}

# Ends process $1's descendants, but for itself, after $2 seconds, and says so in $3.
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

run_test() { # TEST
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
	return $result
}

# Does not return. A TEST is a function, which may have an argument.
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
