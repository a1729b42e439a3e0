#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Why jobs were late: captures with a cause that is known, and the first screen.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# planted CAUSE SEED: the first finding names the cause and its job, and all of them add up.
planted()
{
	python3 -B "$here/planted.py" "$1" "$2" text && "$synth" text x &&
		"$grtrace" report --json x.json --csv x.csv x > out 2> err &&
		python3 -B "$here/planted.py" check "$1" "$2" x.json x.csv > out 2> err
	code=$?
	result $code "planted: $1 $2"
}

for cause in hang greedy chain deep host credits completion driver two none; do
	for seed in 1 2 3; do
		planted $cause $seed
	done
done

# mixes SEEDS: random loads, whose sums are worked out once more.
mixes()
{
	for seed in $(seq 1 "$1"); do
		python3 -B "$here/planted.py" mix "$seed" text && "$synth" text x &&
			"$grtrace" report --json x.json --csv x.csv x > out 2> err &&
			python3 -B "$here/planted.py" check mix "$seed" x.json x.csv || return 1
	done > out 2> err
}
mixes 20
code=$?
result $code "20 random mixes: each cause to the ns"

# The screen
screen() # CAUSE
{
	python3 -B "$here/planted.py" "$1" 1 text && "$synth" text "$1"
	"$grtrace" report "$1" > out 2> err
	code=$?
}
screen hang
before=$(sed '/^#1 /q' out | wc -l)
[ "$before" -le 13 ]
result $? "12 lines before the first finding at most"
! grep -q '.\{81\}' out
result $? "no line of more than 80 columns"
[ "$(wc -l < out)" -le 40 ]
result $? "one screen"
check "names it" 0 '^#1 A job hung +200:1 of p20 \(20\) ran [0-9]+ ms on ' "$grtrace" report hang
check "and its chain" 0 '^.{22} +200:1 [a-z]+0 <- [0-9]+:[0-9]+ .*<-' "$grtrace" report hang
check "its share" 0 '^   [0-9]+ % of waiting' "$grtrace" report hang
check "and what to type next" 0 '^next: grtrace explain [0-9]+:[0-9]+ hang$' "$grtrace" report hang
absent "no table" '^Stages|^BUSY|^Top'
check "--full: tables behind it" 0 '^Report of hang$' "$grtrace" report --full hang
grep -q '^Q2C ' out && sed 1q out | grep -q '^hang: '
result $? "the screen first"
screen none
check "nothing was late" 0 '^Nothing was late: [0-9]+ jobs waited ' "$grtrace" report none
absent "nothing is found" '^#1'
check "--json" 0 '^\{"row":"waiting","schema":1,"capture":"none",' "$grtrace" report --json - none
check "two on stdout" 2 'only one of' "$grtrace" report --json - --csv - none
# What is not known may have been late: an interval inside the hang, a file that is cut.
check "in an interval" 0 '^No cause is known: 0 jobs ' "$grtrace" report -w 0.2:0.3 hang
check "and why" 0 '^Only this interval was read' "$grtrace" report -w 0.2:0.3 hang
absent "not nothing" '^Nothing was late'
printf 'cpu 0\nring id=1 class=1 name=gfx\nstart ctx=1 ring=1 seqno=1 ts=1000\nend ctx=1 ring=1 seqno=1 ts=900000000\n' |
	"$synth" - unsubmitted
check "nobody submitted it" 0 '^How long 1 more job waited is not known: no record says when they' \
	"$grtrace" report unsubmitted
absent "so it may have been late" '^Nothing was late'
mkdir there && cp hang* there
check "what to type next, from here" 0 '^next: grtrace explain [0-9]+:[0-9]+ there/hang$' \
	"$grtrace" report there/hang

finish
