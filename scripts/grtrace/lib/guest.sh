# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What a guest is to who called it, be it QEMU's (vm.sh) or a process (uml.sh):
# a folder that both can write to, a command, its output live and unmixed, an end
# in time, and one exit status.  Sourced after report, runs and splat.
#
# The caller's variables: share, limit, dmesg, allow_splat; set here: run, job.
# shellcheck disable=SC2154

# guest_begin: the folders of a run, which nothing is left of when the script ends.
guest_begin() {
	temporary=''
	if [ -z "$share" ]; then
		share="$(mktemp -d "${TMPDIR:-/tmp}/grtrace-out.XXXXXX")"
		temporary=1
	fi
	mkdir -p "$share"
	share="$(cd "$share" && pwd)"

	run="$(runs_new)"
	if [ -n "$temporary" ]; then
		printf '%s\n' "$share" >"$run/temporary"
	fi
	trap guest_clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP

	job="$run/job"
	mkdir "$job"
	printf '%s\n' "$share" >"$job/share"
}

# guest_clean_up: whatever way this ends.
# shellcheck disable=SC2317
guest_clean_up() {
	trap '' INT TERM HUP
	disown -a			# no "Killed" from bash for what is ended here
	runs_end "$run"
	if [ -n "$temporary" ] && [ -d "$share" ]; then
		note "the guest's files are in $share"
	fi
}

# guest_job CMD...: a script that runs the command as it would run here.
guest_job() {
	(
		unset DISPLAY XAUTHORITY WAYLAND_DISPLAY XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS TMPDIR OLDPWD
		export HOME=/root USER=root LOGNAME=root GRTRACE_OUT="$share"
		export PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH"
		export -p
		printf 'cd %q || exit 71\n' "$PWD"
		printf 'exec'
		printf ' %q' "$@"
		echo
	)
}

# guest_pipes: from the guest's output to ours.
guest_pipes() {
	mkfifo "$run/out" "$run/err"
	cat "$run/out" &
	guest_out=$!
	runs_add "$run" out "$guest_out"
	cat "$run/err" >&2 &
	guest_err=$!
	runs_add "$run" err "$guest_err"
}

# guest_watch NAME PID: the process that is the guest, ended when its time is over.
guest_watch() {
	runs_add "$run" "$1" "$2"
	( exec >/dev/null 2>&1 </dev/null; sleep "$limit" && touch "$run/timeout" && kill -KILL "$2" ) &
	runs_add "$run" watchdog $!
}

# guest_end WHO: after the guest: what happened, most serious first.
guest_end() {
	local log="$run/log" me
	me="$(basename "$0")"
	wait "$guest_out" "$guest_err" || true
	tr -d '\r' <"$run/console" >"$log"
	if [ -n "$dmesg" ]; then
		cat "$log" >&2
	fi
	if [ -e "$run/timeout" ]; then
		[ -n "$dmesg" ] || tail -n 40 "$log" >&2
		printf '%s: %s was ended after %s s, before its command was done; the last lines of its kernel log are above; see --timeout\n' \
			"$me" "$1" "$limit" >&2
		exit 124
	fi
	if splat_found "$log" && [ -z "$allow_splat" ]; then
		[ -n "$dmesg" ] || splat_print "$log" >&2
		printf '%s: the kernel of %s reported a bug, see its log above; the command ended with status %s\n' \
			"$me" "$1" "$(grep . "$job/status" 2>/dev/null || echo unknown)" >&2
		exit 70
	fi
	if [ ! -s "$job/status" ]; then
		[ -n "$dmesg" ] || tail -n 40 "$log" >&2
		printf '%s: %s ended before its command did; the last lines of its kernel log are above\n' "$me" "$1" >&2
		exit 71
	fi
	exit "$(cat "$job/status")"
}
