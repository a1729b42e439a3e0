# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the tests of the monitors, after words.sh.

# $work is grtrace_lib.sh's:
# shellcheck disable=SC2154
instances=/sys/kernel/tracing/instances
monitor_pid=

after() {
	[ -z "$monitor_pid" ] || kill -9 "$monitor_pid" 2>/dev/null
}

tracing() {
	grep -qs 1 $instances/grtrace.*/tracing_on
}

monitor_start() { # OPTIONS
	grtrace monitor "$@" >"$work/out" 2>"$work/err" &
	monitor_pid=$!
	wait_until 120 tracing
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
