# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the rig's scripts say to people: progress on stderr, one clear sentence
# for an error, and the exit status that goes with it.  Standard output belongs
# to the result of a script (a path, the output of a command), so nothing here
# writes to it.

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
