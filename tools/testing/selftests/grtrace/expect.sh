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

# Each number of "%g %a" is the one after that before it; a note that has none shows
# that of its place.
no_gaps() { # FILE
	awk 'NR > 1 && $1 != last + 1 && !($2 == "m" && $1 == last) {
		if (bad++ < 5)
			print "# " last " is followed by " $0
	} { last = $1 } END { exit bad > 0 }' "$1"
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
