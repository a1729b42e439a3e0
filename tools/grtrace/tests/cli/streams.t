#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Standard streams that take nothing: a full disk, a closed one, a reader that
# went away, a terminal that is gone.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"
lossy=$work/lossy
"$synth" "$fixtures/loss.txt" "$lossy" > /dev/null

# ends NAME EXIT SCRIPT: the exit status of a shell's words, whose streams are theirs.
ends()
{
	grparse=$grparse grtrace=$grtrace lossy=$lossy work=$work here=$here \
		run sh -c "$3"
	[ "$code" = "$2" ]
	result $? "$1"
}

# shellcheck disable=SC2016
{
ends 'a sentence that nobody takes' 1 '"$grparse" nosuch 2> /dev/full'
ends 'a usage that nobody takes' 2 '"$grtrace" recrod 2> /dev/full'
ends 'remarks of a report that nobody takes' 0 '"$grtrace" report --full "$lossy" > /dev/null 2>&-'
ends 'remarks of the reader that nobody takes' 0 '"$grparse" -q -O "$lossy" 2> /dev/full'
ends 'the help on a full disk' 1 '"$grparse" --help > /dev/full'
grep -q 'standard output: cannot write: No space left on device' "$work/err"
result $? 'the help on a full disk: a sentence'
ends 'the version on a full disk' 1 '"$grtrace" -V > /dev/full'
ends 'the help of a word on a full disk' 1 '"$grtrace" report --help > /dev/full'
ends 'a reader of the help went away' 141 \
	'python3 "$here/on_pipe.py" 0 "$grparse" --help'
ends 'a reader of the text went away' 141 \
	'python3 "$here/on_pipe.py" 0 "$grparse" "$lossy"'

# The first file that is opened becomes standard input then.
"$grparse" -q "$lossy" > "$work/lines" 2> /dev/null
ends 'a reader without standard input' 0 '"$grparse" -q "$lossy" <&- > "$work/got" && cmp "$work/lines" "$work/got"'
ends 'a report without standard input' 0 \
	'"$grtrace" report "$lossy" > "$work/lines" && "$grtrace" report "$lossy" <&- > "$work/got" && cmp "$work/lines" "$work/got"'
ends 'standard input that is none' 1 '"$grparse" -q - <&-'

fresh
ends 'a recording without standard input' 0 '"$grtrace" record -r "$work/d" -o bare -w 1 <&- && [ -s bare.grtrace.0 ]'
fresh
ends 'a status that nobody takes' 1 '"$grtrace" status -r "$work/nosuch" 2> /dev/full'
ends 'the status on a full disk' 1 '"$grtrace" status -r "$work/d" > /dev/full'
ends 'the configuration on a full disk' 1 '"$grtrace" config -r "$work/d" > /dev/full'

# The session ends in order even without a reader.
echo 'rate_limited_drops 7' >> "$work/d/grtrace/stats"
ends 'a recording whose remarks nobody takes' 0 \
	'"$grtrace" record -r "$work/d" -o run --sample 7 -w 1 2> /dev/full > /dev/null'
grep -qx 'sample=1' "$work/d/grtrace/config"
result $? 'and the configuration is as it was'
fresh
ends 'the end of a recording on a full disk' 1 \
	'"$grtrace" record -r "$work/d" -o run --sample 7 -w 1 > /dev/full'
grep -qx 'sample=1' "$work/d/grtrace/config" && [ -s "$work/w/run.grtrace.0" ]
result $? 'and the capture is there'
}

# A progress line is on its way while the terminal goes.
fresh
run timeout 60 python3 "$here/on_terminal.py" 0.7 "$grtrace" record -r "$work/d" -o run --sample 7
[ "$code" -lt 128 ] && [ "$(state)" = stop ] && grep -qx 'sample=1' "$work/d/grtrace/config"
result $? 'a terminal that is gone ends the recording in order'
fresh
run sh -c 'trap "" HUP; exec timeout 60 python3 "$@"' sh "$here/on_terminal.py" 1.5 \
	"$grtrace" record -r "$work/d" -o run --sample 7 -w 3
[ "$code" -lt 128 ] && [ "$(state)" = stop ] && grep -qx 'sample=1' "$work/d/grtrace/config"
result $? 'and where nobody is told of that, it goes on to its end'

# Ctrl-C in the middle of a pipe: who writes has a rest, who reads waits for it.
"$synth" --stream "$here/../fixtures/two_cpus.txt" "$work/stream" > /dev/null
size=$(wc -c < "$work/stream")
cat > "$work/feed" <<END
trap 'kill \$!; tail -c +$((size / 2 + 1)) "$work/stream"; exit' INT
head -c $((size / 2)) "$work/stream"
sleep 60 > /dev/null &
touch "$work/begun"
wait
END
"$grparse" -O "$work/stream" > "$work/want" 2> /dev/null
run python3 "$here/interrupted.py" "$work/begun" \
	"trap : INT; sh '$work/feed' | '$grparse' -O -i - > '$work/got'; exit 0" 1
sed 's/^stdin/stream/; s/(stdin)/(stream)/' "$work/got" | cmp -s "$work/want"
result $? 'interrupted, grparse reads to the end of the pipe'
rm "$work/begun"
run python3 "$here/interrupted.py" "$work/begun" \
	"trap : INT; sh '$work/feed' | '$grtrace' report --full -i - > '$work/got'; exit 0" 1
grep -q '^Jobs: ' "$work/got"
result $? 'and the report is there'
rm "$work/begun"
mkfifo "$work/fifo"
run timeout 60 python3 "$here/interrupted.py" "$work/begun" \
	"touch '$work/begun'; exec '$grparse' -q -i - <> '$work/fifo'" 2
[ "$code" = 130 ]
result $? 'interrupted again, it ends though the writer does not'

mkdir "$work/page"
if python3 -c 'import os, sys; os.open(sys.argv[1], os.O_TMPFILE | os.O_WRONLY)' "$work/page" 2> /dev/null; then
	run timeout 60 python3 "$here/interrupted.py" "$work/begun" \
		"exec '$grtrace' report --html '$work/page/a.html' -i - <> '$work/fifo'" 2
	[ "$code" = 130 ] && [ -z "$(ls "$work/page")" ]
	result $? 'and leaves nothing of a page'
else
	number=$((number + 1))
	echo "ok $number - and leaves nothing of a page # SKIP the file system has no O_TMPFILE"
fi

# Two recordings in one file: `cat` of two streams, each with its tables.
for session in 93 94; do
	printf 'session %s\ncpu none\ninfo start=0\nring id=1 name=gfx\ncpu 0\nsubmit ctx=1 ring=1 seqno=1\ncomplete ctx=1 ring=1 seqno=1\n' \
		$session | "$synth" --stream - s$session
done
cat s93 s94 > joined
at=$(wc -c < s93)
for word in "$grparse" "$grparse -i" "$grtrace report" "$grtrace report --full" "$grtrace timeline" "$grtrace explain 1:1" \
	"$grtrace export --to csv" "$grtrace verify" "$grtrace diff s93" "$grtrace merge -o merged s93"; do
	# shellcheck disable=SC2086
	on err check "${word##*/}: two recordings" 2 \
		"joined: offset $at: the recording of another session begins here, and a file holds one: split it, head -c $at and tail -c \+$((at + 1)), and name both files\$" \
		$word joined
	absent "${word##*/}: which is no damage" 'damage|not over at the end'
	[ "$(grep -c 'another session' "$work/err")" = 1 ]
	result $? "${word##*/}: said once"
done
[ ! -e merged ]
result $? "no merge of it"
# shellcheck disable=SC2094
on err check "from a pipe" 2 'of another session begins here' sh -c "cat s93 s94 | $grparse -i -"
# As `cat trace0` reads them, without a packet of tables.
for session in 93 94; do
	printf 'session %s\ncpu 0\ninfo start=0\nsubmit ctx=1 ring=1 seqno=1\n' $session | "$synth" --stream - raw$session
done
cat raw93 raw94 > raw
on err check "of a CPU's file" 2 'raw: offset [0-9]+: the recording of another session begins here' "$grparse" raw
absent "and no damage" 'damage'
head -c "$at" joined > first && tail -c +$((at + 1)) joined > second
check "split as it says" 0 '^Jobs \(second\): 1 completed' "$grparse" -s first second

finish
