#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a locked-down kernel nothing is recorded. A kernel cannot be unlocked again: this is
# the last that is run.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/../grtrace_lib.sh"

locked=/sys/kernel/security/lockdown

locked_down() {
	echo start >$files/control || return 1
	exec 9<$files/trace0 8>$files/control || return 1
	echo integrity >$locked || return 1
	ret=0
	for file in "$files"/*; do
		if cat "$file" >/dev/null 2>&1; then
			echo "# $file was read"
			ret=1
		fi
	done
	for file in control config emit msg; do
		if sh -c ": >>$files/$file" 2>/dev/null; then
			echo "# $file was opened for writing"
			ret=1
		fi
	done
	if sh -c "echo stop >$files/control" 2>/dev/null; then
		echo "# the session was stopped"
		ret=1
	fi
	# a session ends, and none can be started, not even by the module's parameter
	if ! echo stop >&8 || echo start >&8 2>/dev/null; then
		echo "# a file that was open stopped none or started another"
		ret=1
	fi
	exec 9<&- 8>&-
	tool_says_so && return $ret
}

# Where the tool is: nothing runs after this that could ask it.
tool_says_so() {
	PATH="${GRTRACE_TOOLS:+$GRTRACE_TOOLS:}$PATH"
	command -v grtrace >/dev/null || return 0
	! grtrace status >"$work/out" 2>&1 && says "$work/out" "the kernel is locked down"
}

why_not() { # TEST
	mountpoint -q /sys/kernel/security ||
		mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
	[ -w $locked ] || echo "the kernel cannot be locked down"
}

needs_modules
session_stop
run_tests locked_down
