# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the shell tests: what is expected, and what to say where it is not so.

same() { # WHAT EXPECTED FOUND
	[ "$2" = "$3" ] && return
	echo "# $1: $3, not $2"
	return 1
}

says() { # FILE SENTENCE'S PART
	grep -qF -- "$2" "$1" && return
	echo "# no '$2' in:"
	sed 's/^/# /' "$1"
	return 1
}

# Until COMMAND is true, 2 minutes at most.
wait_until() { # COMMAND...
	for _ in $(seq 1200); do
		"$@" && return
		sleep 0.1
	done
	echo "# never true: $*"
	return 1
}
