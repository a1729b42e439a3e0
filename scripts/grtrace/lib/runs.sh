# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Guests that run: a folder each under the cache, with the ids of its processes,
# so that a later run can end what a killed one left behind and nothing else.  A
# process id comes with the process's start time: ids are used again.
# Needs report.sh, cache.sh.

# runs_started PID: when the process started (clock ticks after boot), or nothing.
runs_started() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

# runs_new: prints the folder of a new run that belongs to this script.
runs_new() {
	local run
	mkdir -p "$CACHE/run"
	run="$(mktemp -d "$CACHE/run/XXXXXXXX")"
	runs_add "$run" owner $$
	printf '%s\n' "$run"
}

# runs_add RUN NAME PID: NAME.pid holds the process.
runs_add() { printf '%s %s\n' "$3" "$(runs_started "$3")" >"$1/$2.pid"; }

# runs_alive FILE: does the process of a pid file still run?
runs_alive() {
	local pid started
	[ -s "$1" ] || return 1
	read -r pid started <"$1"
	[ -n "$started" ] && [ "$(runs_started "$pid")" = "$started" ]
}

# runs_end RUN: end its processes, remove its folder.
runs_end() {
	local run="$1" name pid
	for name in watchdog qemu uml xvfb out err; do
		if runs_alive "$run/$name.pid"; then
			read -r pid _ <"$run/$name.pid"
			# The watchdog's sleep is its child.  QEMU with OpenGL may
			# ignore SIGTERM; it holds nothing that needs an orderly end.
			[ "$name" != watchdog ] || pkill -P "$pid" -x sleep || true
			if [ "$name" = xvfb ]; then
				kill "$pid"
			else
				kill -KILL "$pid"
			fi 2>/dev/null || true
		fi
	done
	# The temporary share: what the guest left there is the caller's.
	if [ -s "$run/temporary" ]; then
		rmdir "$(cat "$run/temporary")" 2>/dev/null || true
	fi
	rm -rf "$run"
}

# runs_end_stale: end every run whose script is gone.
runs_end_stale() {
	local run
	for run in "$CACHE"/run/*/; do
		run="${run%/}"
		[ -d "$run" ] || continue
		# A run that is just beginning has no owner yet.
		[ -s "$run/owner.pid" ] || [ -z "$(find "$run" -maxdepth 0 -mmin -1)" ] || continue
		if ! runs_alive "$run/owner.pid"; then
			note "ending the guest that ${run##*/} left behind"
			runs_end "$run"
		fi
	done
}
