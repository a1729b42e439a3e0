#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# An output is whole, or is reported not to be; and without a reader there is no
# summary.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
workload=$build/workload

# More than one block of what is buffered, and with losses, which are shown.
"$workload" --jobs 1500 --cpus 2 --rings 4 --processes 40 --depend 100 --drop 20 \
	--fail 20 a > /dev/null
"$workload" --jobs 1500 --cpus 2 --rings 4 --processes 40 --seed 2 b > /dev/null
job=$("$grparse" -q -f '%x:%S %a\n' a 2> err | sed -n 's/ C$//p' | sed -n 700p)

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
	$grtrace report --full a
	$grtrace report --csv - a
	$grtrace report --delays-csv - a
	$grtrace report --html - a
	$grtrace timeline --width 200 a
	$grtrace timeline --jobs --limit 200 a
	$grtrace diff a b
	$grtrace verify a
	$grtrace merge -o - a b
	$grtrace merge -q -o - a b
	$grtrace export --to csv a
	$grtrace export --to json a
	$grtrace export --to perfetto -o - a
	$grtrace export --to text a
	$grparse --help
	$grtrace report --help
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

# --- a reader who has seen enough
quietly()
{
	words=$(name_of "$1")
	shift
	check "a reader goes away: $words" 141 '' python3 -B "$here/on_pipe.py" 100 "$@"
	[ ! -s err ]
	result $? "$words: not a word"
}
each quietly
check "a reader who wants nothing" 141 '' \
	python3 -B "$here/on_pipe.py" 0 "$grparse" -q --limit 1 a
check "a limit of its own is no such end" 0 '^Stopped after 3 events' "$grparse" --limit 3 a
mkdir made
check "what else is written is not there" 141 '' python3 -B "$here/on_pipe.py" 100 \
	"$grtrace" report --csv - --html made/page --delays-csv made/delays a
[ -z "$(ls made)" ]
result $? "nor a part of it"

check "what else is written is whole, if all was read" 141 '' python3 -B "$here/on_pipe.py" 100 \
	"$grtrace" report --csv made/csv --topn 200 a
"$grtrace" report --csv - a > want 2> err
same "and has its name" want made/csv
rm made/csv

# --- a device that is full: one sentence
full()
{
	words=$(name_of "$1")
	shift
	check "full: $words" 1 ': cannot write: No space left on device: make room, or ' \
		sh -c '"$@" > /dev/full' - "$@"
	[ "$(wc -l < err)" = 1 ]
	result $? "$words: one sentence"
}
each full
full "grparse --explain" "$grparse" --explain "$job" a

# full_file WORDS...: an output beside standard output
full_file()
{
	check "full: $*" 1 '/dev/full: cannot write: No space left on device' "$grtrace" "$@"
	[ "$(wc -l < err)" = 1 ] && [ ! -s out ]
	result $? "$*: one sentence"
	[ -z "$(ls made)" ]
	result $? "$*: and no other file"
}
for file in csv delays-csv groups-csv depth-csv html; do
	full_file report --$file /dev/full a
	full_file report --$file /dev/full -o made/text a
done
full_file report --csv made/csv --html /dev/full -o made/text a
check "full: the binary beside the text" 1 '/dev/full: cannot write' \
	"$grparse" -O -d /dev/full -o made/text a
[ -z "$(ls made)" ]
result $? "and no text"

# --- a name that was cut in the middle of a letter
{
	echo "info start=1000"
	echo "ring id=1 class=1 device=x日日日日日日日日日日日日日日日日日日日日日 name=日日日日日日日日日日日日日日日日日日日日日日日"
	echo "cpu 0"
	echo "task pid=7 tgid=7 comm=Spiel_äöü日日 ts=1500"
	echo "task pid=8 tgid=8 comm=x日日日日日日 ts=1500"
	for i in 1 2 3; do
		echo "submit pid=7 ctx=5 ring=1 seqno=$i ts=${i}2000"
		echo "commit pid=8 ctx=5 ring=1 seqno=$i fence=9:$i ts=${i}3000"
		echo "start ctx=5 ring=1 seqno=$i ts=${i}4000"
		echo "end ctx=5 ring=1 seqno=$i ts=${i}5000"
		echo "complete ctx=5 ring=1 seqno=$i ts=${i}6000"
	done
} > cut.txt
"$synth" cut.txt cut > /dev/null
"$grparse" -q --json cut | jq -r 'select(.type == "submit") | .comm, .ring_name' > names

# whole COMMAND...: what it prints is UTF-8, with each name as JSON has it
whole()
{
	check "cut names: $(name_of "$*")" 0 '�' "$@"
	iconv -f UTF-8 -t UTF-8 out > /dev/null 2> err
	result $? "$(name_of "$*"): UTF-8"
}
whole "$grparse" -v cut
whole "$grparse" -q --csv cut
whole "$grparse" --explain 5:2 cut
whole "$grtrace" report --full cut
whole "$grtrace" report --csv - cut
whole "$grtrace" timeline cut
whole "$grtrace" timeline --jobs --width 200 cut
whole "$grtrace" diff cut cut
whole "$grtrace" export --to text cut
"$grparse" -q -f '%C\n%r\n' -a submit cut > out
cmp -s names out
result $? "cut names: as JSON has them"

finish
