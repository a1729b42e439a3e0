# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What bash completes of grtrace and grparse: words and options as --help has them, and
# the base names of captures.

_grtrace_words() { "$1" --help 2>/dev/null | sed -nE '/\(not installed\)/d; s/^  ([a-z]+)  .*/\1/p'; }

_grtrace_options() {
	"$@" --help 2>/dev/null | sed -nE 's/^ {6}(--[a-z-]+).*/\1/p; s/^  (-[A-Za-z])(, (--[a-z-]+))?( .*)?$/\1 \3/p'
}

_grtrace_captures() {
	compgen -f -- "$1" | sed -nE 's/\.grtrace\.[0-9]+$//p' | sort -u
}

_grtrace() {
	local now="${COMP_WORDS[COMP_CWORD]}" command=("$1")
	[[ "$1" == *grparse || "$COMP_CWORD" -lt 2 || "${COMP_WORDS[1]}" == -* ]] || command+=("${COMP_WORDS[1]}")
	if [[ "$now" == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_grtrace_options "${command[@]}")" -- "$now")
	elif [[ "$1" != *grparse && ( "$COMP_CWORD" = 1 || "${COMP_WORDS[1]}" = help ) ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_grtrace_words "$1")" -- "$now")
	else
		mapfile -t COMPREPLY < <(_grtrace_captures "$now")
	fi
}
complete -o default -o filenames -F _grtrace grtrace grparse
