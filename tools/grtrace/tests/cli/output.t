#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What is written is whole.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
workload=$build/workload

# More than one block of what is buffered, and with losses, which are told.
"$workload" --jobs 1500 --cpus 2 --rings 4 --processes 40 --depend 100 --drop 20 \
	--fail 20 a > /dev/null
"$workload" --jobs 1500 --cpus 2 --rings 4 --processes 40 --seed 2 b > /dev/null

# each COMMAND: what writes much to standard output, one a line
each()
{
	while read -r words; do
		[ -n "$words" ] || continue
		# shellcheck disable=SC2086
		"$@" "$words" $words
	done <<END
	$grparse a
	$grparse -q --csv a
	$grparse -q --json a
	$grparse --csv a
	$grparse -q -O -d - a
	$grtrace report a
	$grtrace report --csv - a
	$grtrace report --delays-csv - a
	$grtrace report --html - a
	$grtrace report --svg - a
	$grtrace timeline --width 200 a
	$grtrace timeline --list --limit 200 a
	$grtrace timeline --jobs --limit 200 a
	$grtrace diff a b
	$grtrace verify --credits ring0=1 a
	$grtrace merge -o - a b
	$grtrace merge -q -o - a b
	$grtrace export --to csv a
	$grtrace export --to json a
	$grtrace export --to perfetto -o - a
	$grtrace export --to text a
	$grparse --help
	$grparse --man
	$grtrace report --help
	$grtrace --man
END
}

# name_of WORDS: without where the program is
name_of()
{
	echo "$1" | sed "s:$build/::"
}

# --- a pipe that takes little, and a little later
slowly()
{
	words=$(name_of "$1")
	shift
	"$@" > want 2> err < /dev/null
	wanted=$?
	check "non-blocking: $words" $wanted '' python3 -B "$here/on_pipe.py" slow "$@"
	cmp -s want out
	result $? "$words: all of it"
}
each slowly

"$grparse" --csv a 2> want > /dev/null
# shellcheck disable=SC2016
check "non-blocking: the summary on standard error" 0 '' \
	python3 -B "$here/on_pipe.py" errors sh -c '"$1" --csv a > /dev/null' - "$grparse"
cmp -s want out
result $? "all of it"

finish
