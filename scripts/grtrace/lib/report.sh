# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Messages of the rig's scripts: progress on stderr, one clear sentence for an
# error, and the exit status that goes with it. Standard output belongs to the
# result of a script (a path, the output of a command), so nothing here writes
# to it.

# note TEXT...: one progress line, only for what takes seconds.
note() { printf '[grtrace] %s\n' "$*" >&2; }

# die TEXT...: an error that the caller cannot repair by other arguments.
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# usage_error TEXT...: wrong arguments.
usage_error() {
	printf '%s: %s; see %s --help\n' "${0##*/}" "$*" "${0##*/}" >&2
	exit 2
}

# usage FILE: the head comment of FILE from its "Usage:" line on, as help text.
usage() { sed -n '/^# Usage:/,/^$\|^[^#]/{/^#/!d;s/^# \{0,1\}//;p}' "$1"; }

# with_progress SAYS CMD...: runs CMD, and every ten seconds prints as a progress
# line what SAYS prints.
with_progress() {
	local says="$1" status=0 bell
	shift
	# It ends with the pipe, however the command or this shell ends; 9 is the
	# lock of cache_lock().
	exec {bell}> >(
		exec 9>&-
		until read -rt 10 || [ $? -le 128 ]; do
			note "$("$says")"
		done >/dev/null
	)
	"$@" {bell}>&- || status=$?
	exec {bell}>&-
	return "$status"
}

# as_root CMD...: with sudo if the script is not already root.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -- "$@"
	else
		die "cannot run '$*': it needs root and sudo is not installed; run as root"
	fi
}
