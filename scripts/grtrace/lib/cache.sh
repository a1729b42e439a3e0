# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The cache folder: everything that was downloaded, unpacked or built for the
# rig.  It may be deleted at any time while nothing runs.  An entry is a folder
# that appears whole (filled under a temporary name, then renamed), so that a
# reader needs no lock and an interrupted run leaves no half entry behind.

# The scripts that source this file use it.
# shellcheck disable=SC2034
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/grtrace"

# cache_full: has the disk no room left?
cache_full() {
	local left
	left="$(df --output=avail -k "$CACHE" 2>/dev/null | tail -n 1)" && [ "$left" -lt 1024 ]
}
CACHE_FULL="the disk that holds $CACHE has not enough room; free some, or set XDG_CACHE_HOME to a folder elsewhere, and run again"

# cache_lock NAME CMD...: run CMD in a subshell, one holder of NAME at a time.
# The descriptor is closed in nothing that CMD leaves running: do not start
# daemons under it.
cache_lock() {
	local name="$1"; shift
	if ! { mkdir -p "$CACHE/locks" && : >>"$CACHE/locks/$name"; } 2>/dev/null; then
		cache_full && die "$CACHE_FULL"
		die "cannot write to the cache folder $CACHE; set XDG_CACHE_HOME to a folder that can be written"
	fi
	(
		set -e
		until flock -w "${waited:-0}" 9; do
			note "waiting for another run, which is at the same"
			waited=10
		done
		"$@"
	) 9>"$CACHE/locks/$name"
}

# cache_entry DIR FILL...: make sure that DIR exists; where it does not, FILL is
# called with a temporary folder as its last argument and DIR becomes that
# folder when FILL succeeds, otherwise the shell ends.  GRTRACE_FILLED, where it is
# set, is a file that gets the names of the folders that were filled.
cache_entry() {
	local dir="$1"; shift
	[ -d "$dir" ] && return
	cache_lock "$(printf '%s' "$dir" | sha256sum | cut -c1-16)" cache_fill "$dir" "$@"
	[ -d "$dir" ] || exit 1
}

# cache_fill DIR FILL...: cache_entry() with the lock held.
cache_fill() {
	local dir="$1" tmp went_on; shift
	[ -d "$dir" ] && return			# another run was faster
	# In a condition ("if", "||") nothing of FILL that fails would be its end.
	went_on="$(set -e; trap 'exit 0' EXIT; false; echo yes)"
	[ -z "$went_on" ] || die "a bug of the caller: $1 is called where bash does not heed set -e"
	tmp="${dir%/*}/.new.${dir##*/}"
	trap 'cache_cleared $?' EXIT
	cache_remove "$tmp"			# of a run that was killed
	mkdir -p "$tmp"
	chmod 755 "$tmp"
	"$@" "$tmp"
	mv -T "$tmp" "$dir"
	trap - EXIT
	[ -z "${GRTRACE_FILLED:-}" ] || printf '%s\n' "$dir" >>"$GRTRACE_FILLED"
}

# cache_cleared STATUS: the end of a FILL that failed, or was interrupted.
cache_cleared() {
	if [ "$1" != 0 ] && cache_full; then
		note "$CACHE_FULL"
	fi
	cache_remove "$tmp"
}

# cache_prune KEPT PATH...: removes all but the KEPT newest. Entries that were made
# or touched in the last three hours stay in any case: another run may still work with them.
cache_prune() {
	local kept="$1" path; shift
	stat -c '%Y %n' "$@" 2>/dev/null | sort -rn |
		awk -v kept="$kept" -v now="$EPOCHSECONDS" 'NR > kept && now - $1 > 3 * 3600 { sub(/^[0-9]+ /, ""); print }' |
		while IFS= read -r path; do cache_remove "$path"; done
}

# cache_remove DIR: which may be root's, where it was to become a userland.
cache_remove() {
	rm -rf --one-file-system "$1" 2>/dev/null || as_root rm -rf --one-file-system "$1"
}
