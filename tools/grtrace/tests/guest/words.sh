# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced first by the tests of the tools' words: what the shell tests of the kernel have,
# the tools, and recordings.

[ -z "$GRTRACE_TOOLS" ] || PATH="$GRTRACE_TOOLS:$PATH"
# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

needs() { # PROGRAM...
	for tool; do
		command -v "$tool" >/dev/null || skip_all "there is no $tool"
	done
}

# Checks a command's exit status, and its output by a regular expression.
check() { # STATUS REGEX COMMAND...
	status=$1 regex=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	same "exit status of $*" "$status" $? &&
	{ [ -z "$regex" ] || grep -qE -- "$regex" "$work/out" "$work/err"; } && return
	echo "# no '$regex' in what $* says:"
	sed 's/^/# /' "$work/out" "$work/err"
	return 1
}

# Each number of "%g %a" is one more than the number before it; a note without a number
# shows that of its place.
no_gaps() { # FILE
	awk 'NR > 1 && $1 != last + 1 && !($2 == "m" && $1 == last) {
		if (bad++ < 5)
			print "# " last " is followed by " $0
	} { last = $1 } END { exit bad > 0 }' "$1"
}

record_start() { # NAME OPTIONS
	name=$1
	shift
	grtrace record -D "$work" -o "$name" "$@" >"$work/out" 2>"$work/err" &
	record_pid=$!
	wait_until 120 session_running
}

record_end() { # SIGNAL
	kill -"$1" "$record_pid"
	wait "$record_pid"
	status=$?
	record_pid=
	same "the recorder's exit status" 0 $status && ! session_running && return
	sed 's/^/# /' "$work/out" "$work/err"
	return 1
}

# Prints the letters of the events in a capture, even if it cannot be read to its end.
letters() { # NAME
	grparse -q -f '%a\n' -i "$work/$1" 2>/dev/null | grep -v '^m'
}

# Checks that everything that the kernel wrote is in the capture and in the table at its
# end, and so are the jobs of the load.
recorded_all() { # NAME JOBS
	same "events lost" 0 "$(session_stat lost)" &&
	same "events read" "$(session_stat written)" "$(letters "$1" | wc -l)" &&
	same "jobs submitted" "$2" "$(letters "$1" | grep -cx Q)" &&
	same "events in the end table" "$(session_stat written)" \
		"$(awk '/^  Total:/ { print $2 }' "$work/out" "$work/err")" && return
	grep -v ' 0$' $files/stats | sed 's/^/# /'
	return 1
}
