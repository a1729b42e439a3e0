# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the tests of the monitors, after ktap_helpers.sh and modules.sh.

# $dir is the test's:
# shellcheck disable=SC2154 source=tools/testing/selftests/grtrace/expect.sh
. "$dir/expect.sh"

instances=/sys/kernel/tracing/instances
work=$(mktemp -d)
monitor_pid=
trap 'cleanup' EXIT

cleanup() {
	[ -z "$monitor_pid" ] || kill -9 "$monitor_pid" 2>/dev/null
	rm -rf "$work"
}

tracing() {
	grep -qs 1 $instances/grtrace.*/tracing_on
}

monitor_start() { # OPTIONS
	grtrace monitor "$@" >"$work/out" 2>"$work/err" &
	monitor_pid=$!
	wait_until tracing
}

monitor_end() { # SIGNAL
	kill -"$1" "$monitor_pid"
	wait "$monitor_pid"
	status=$?
	monitor_pid=
	same "exit status" 0 $status &&
	same "instances left" "" "$(ls $instances)"
}

# fails SENTENCE'S PART COMMAND...
fails() {
	part=$1
	shift
	"$@" >"$work/out" 2>"$work/err"
	same "exit status of $*" 1 $? && says "$work/err" "$part" &&
	same "instances left" "" "$(ls $instances)"
}

# Skips all where a PROGRAM is missing.
needs() { # PROGRAM...
	for tool; do
		if ! command -v "$tool" >/dev/null; then
			ktap_skip_all "no $tool"
			exit "$KSFT_SKIP"
		fi
	done
}
