# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The cache folder: everything that was downloaded, unpacked or built for the
# rig.  It may be deleted at any time while nothing runs.  An entry is a folder
# that appears whole (filled under a temporary name, then renamed), so that a
# reader needs no lock and an interrupted run leaves no half entry behind.
# Needs report.sh.

# The scripts that source this file use it.
# shellcheck disable=SC2034
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/grtrace"

# cache_lock NAME CMD...: run CMD in a subshell, one holder of NAME at a time.
# The descriptor is closed in nothing that CMD leaves running: do not start
# daemons under it.
cache_lock() {
	local name="$1"; shift
	mkdir -p "$CACHE/locks"
	( flock 9 && "$@" ) 9>"$CACHE/locks/$name"
}

# cache_entry DIR FILL...: make sure that DIR exists; where it does not, FILL is
# called with a temporary folder as its last argument and DIR becomes that
# folder when FILL succeeds.  GRTRACE_FILLED, where it is set, is a file that gets the
# names of the folders that were filled.
cache_entry() {
	local dir="$1"; shift
	[ -d "$dir" ] && return
	mkdir -p "${dir%/*}"
	cache_lock "$(printf '%s' "$dir" | sha256sum | cut -c1-16)" cache_fill "$dir" "$@"
}

# cache_fill DIR FILL...: cache_entry() with the lock held.
cache_fill() {
	local dir="$1" tmp; shift
	[ -d "$dir" ] && return			# another run was faster
	tmp="$(mktemp -d "${dir%/*}/.new.XXXXXX")"
	chmod 755 "$tmp"
	# Not "if ! ...": that would switch set -e off inside FILL.
	trap 'rm -rf "$tmp"' EXIT
	"$@" "$tmp"
	mv -T "$tmp" "$dir"
	trap - EXIT
	[ -z "${GRTRACE_FILLED:-}" ] || printf '%s\n' "$dir" >>"$GRTRACE_FILLED"
}
