# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Runs a guest, in QEMU (vm.sh) or as a process (uml.sh). The caller gets a folder
# that it shares with the guest, the live output of a command with its two streams
# separate, a time limit, and one exit status. Sourced after report, cache and
# splat.
#
# It uses the caller's variables share and limit, and sets run and job.
# shellcheck disable=SC2154

# guest_begin: makes the folders of a run, which are removed when the script ends.
guest_begin() {
	temporary=''
	if [ -z "$share" ]; then
		share="$(mktemp -d "${TMPDIR:-/tmp}/grtrace-out.XXXXXX")"
		temporary=1
	fi
	mkdir -p "$share" "$CACHE/run"
	share="$(cd "$share" && pwd)"

	# A run that was killed has left its folder, and no lock on it.
	find "$CACHE/run" -mindepth 1 -maxdepth 1 -mmin +1 -exec flock -n {} rm -rf {} \; 2>/dev/null || true
	run="$(mktemp -d "$CACHE/run/XXXXXXXX")"
	exec 8<"$run"
	flock 8
	trap guest_clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP

	job="$run/job"
	mkdir "$job"
	printf '%s\n' "$share" >"$job/share"
}

# guest_clean_up: whatever way this ends.
guest_clean_up() {
	local running
	trap '' INT TERM HUP
	read -rd '' -a running <<<"$(jobs -rp)" || true
	disown -a			# no "Killed" from bash for what is ended here
	# A virtual X server has something to put away; QEMU with OpenGL may ignore this,
	# and holds nothing that needs an orderly end.
	[ ${#running[@]} = 0 ] || kill "${running[@]}" 2>/dev/null || true
	case " ${running[*]} " in
	*" ${guest:-none} "*) kill -KILL "$guest" 2>/dev/null || true ;;
	esac
	rm -rf "$run"
	# The temporary share: what the guest left there is the caller's.
	if [ -n "$temporary" ] && ! rmdir "$share" 2>/dev/null; then
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
	cat "$run/err" >&2 &
	guest_err=$!
}

# guest_limited CMD...: becomes the process that is the guest, which ends when its time
# is over, and with who called it, however that ends.
guest_limited() {
	exec setpriv --pdeathsig KILL timeout -s KILL "$limit" setpriv --pdeathsig KILL "$@"
}

# guest_wait PID: for that process; its exit status is guest_status.
guest_wait() {
	guest="$1" guest_status=0 guest_since="$SECONDS"
	wait "$guest" 2>/dev/null || guest_status=$?
}

# guest_end WHO: after the guest: what happened, most serious first.
guest_end() {
	local log="$run/log" me
	me="$(basename "$0")"
	wait "$guest_out" "$guest_err" || true
	tr -d '\r' <"$run/console" >"$log"
	# timeout(1) ends itself as well, and another process might end it.
	if [ "$guest_status" = 137 ] && [ $((SECONDS - guest_since)) -ge "$limit" ]; then
		tail -n 40 "$log" >&2
		printf '%s: %s was ended after %s s, before its command was done; the last lines of its kernel log are above; see --timeout\n' \
			"$me" "$1" "$limit" >&2
		exit 124
	fi
	if splat_found "$log"; then
		splat_print "$log" >&2
		printf '%s: the kernel of %s reported a bug, see its log above; the command ended with status %s\n' \
			"$me" "$1" "$(grep . "$job/status" 2>/dev/null || echo unknown)" >&2
		exit 70
	fi
	if [ ! -s "$job/status" ]; then
		tail -n 40 "$log" >&2
		printf '%s: %s ended before its command did; the last lines of its kernel log are above\n' "$me" "$1" >&2
		exit 71
	fi
	exit "$(cat "$job/status")"
}
