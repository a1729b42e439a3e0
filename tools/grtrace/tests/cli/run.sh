#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the CLI tests, or those that are named. A test that does not end in time fails and is
# ended, with all that it started.
#
# Usage: O=BUILD run.sh [NAME...]	NAME: export, or export.t, or the path of such a file
#
# CASE_SECONDS	how long a test may take; all of them together take 300 s on an idle
#		machine, so one takes less even with sanitizers on a busy machine

here=$(cd "$(dirname "$0")" && pwd)
limit=${CASE_SECONDS:-400}
[ $# -gt 0 ] || set -- "$here"/*.t

# file NAME: where that test is.
file()
{
	case $1 in
	*/*) echo "$1" ;;
	*) echo "$here/${1%.t}.t" ;;
	esac
}

for name; do
	[ ! -f "$(file "$name")" ] || continue
	echo "there is no CLI test '$name', only" "$(cd "$here" && echo *.t)" >&2
	exit 2
done

# timeout has a process group of its own: the terminal's ^C does not reach it.
trap 'kill $!; exit 130' INT TERM
failed=0
for name; do
	test=$(file "$name")
	echo "# ${test##*/}"
	# A shell's background ignores ^C, and the tests would inherit that.
	env --default-signal=INT,QUIT timeout -k 10 "$limit" sh "$test" &
	wait $!
	case $? in
	0) continue ;;
	124|137) echo "not ok 0 - ${test##*/} # not done after $limit s" ;;
	esac
	failed=1
done
exit "$failed"
