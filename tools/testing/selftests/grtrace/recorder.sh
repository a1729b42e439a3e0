# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the shell tests after grtrace_lib.sh: a recorder in the
# background, whose captures and messages are in the folder $work.

record_start() { # NAME OPTIONS
	name=$1
	shift
	# shellcheck disable=SC2154
	grtrace record -D "$work" -o "$name" "$@" >"$work/out" 2>"$work/err" &
	record_pid=$!
	wait_until session_running
}

record_end() {
	kill -INT "$record_pid"
	wait "$record_pid"
	status=$?
	record_pid=
	same "the recorder's exit status" 0 $status && return
	sed 's/^/# /' "$work/err"
	return 1
}

# All that the kernel wrote is in the capture, and so are the load's jobs.
recorded_all() { # NAME JOBS
	same "jobs submitted" "$2" \
		"$(grparse -q -f '%a\n' -i "$work/$1" 2>/dev/null | grep -cx Q)" || return 1
	read=$(grparse -q -f '%a\n' -i "$work/$1" 2>/dev/null | grep -cvE '^m')
	same "events read" "$(session_stat written)" "$read" &&
	same "events lost" 0 "$(session_stat lost)"
}
