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

for cause in hang again declared greedy chain deep host credits completion driver wake two none; do
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

# The largest cause is computed without the program, from what was planted.
python3 -B "$here/planted.py" blends 200 "$synth" "$grtrace" > out 2> err
code=$?
result $code "200 random mixes: the largest cause first"
grep '^# BAR' out

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
absent "no job ran for long, either" 'The longest job'
# A frame's own job: no task waited, and still it was late.
printf '%s\n' 'cpu 0' 'submit pid=10 ctx=7 ring=1 seqno=1 ts=1000000' 'pick ctx=7 ring=1 seqno=1 ts=1100000' \
	'commit ctx=7 ring=1 seqno=1 fence=90:1 ts=1200000' 'fence ctx=90 seqno=1 ts=29700000' \
	'complete ctx=7 ring=1 seqno=1 ts=29710000' > alone.txt
"$synth" alone.txt alone
check "nobody waited" 0 '^Nothing was late: 1 job waited 200 us from SUBMIT to START' "$grtrace" report alone
grep -q '^The longest job, 7:1, ran 28\.5 ms on ring 1 at 0\.0002 s\.$' out &&
	grep -q '^next: grtrace explain 7:1 alone$' out
result $? "what ran longest is named all the same"
check "--json" 0 '^\{"row":"waiting","schema":1,"capture":"none",' "$grtrace" report --json - none
# A job is named as the main one where the waits for it are at least half of the finding's.
screen declared
"$grtrace" report --json declared.json declared 2>> err
cat > mostly.py << 'END'
import json, re
words = set()
for row in map(json.loads, open("declared.json")):
    named = re.search(r" (Mostly|Longest) for [0-9:]+, which ran ", row.get("text", ""))
    if named:
        words.add(named[1])
        assert named[1] == ("Mostly" if 2 * row["root_ns"] >= row["ns"] else "Longest"), row
assert len(words) == 2, words
END
python3 mostly.py > out 2>> err
code=$?
result $code "most of a wait is for one job, or the longest of it"
check "two on stdout" 2 'only one of' "$grtrace" report --json - --csv - none
# An interval inside the hang: what jobs waited there is cut at its ends.
check "in an interval" 0 '^#1 A job hung +200:1 ' "$grtrace" report -w 0.2:0.3 hang
check "and so it is said" 0 '^Waiting is counted within this interval\. The first line counts only jobs' \
	"$grtrace" report -w 0.2:0.3 hang
check "drawn between its ends" 0 '^ +0\.2[0-9]* s +0\.3000 s +busy' "$grtrace" report -w 0.2:0.3 hang
check "so near that a millisecond is too coarse" 0 '^ +0\.250000 s +0\.250400 s +busy' \
	"$grtrace" report --since 250ms --until 250400us hang
python3 -B "$here/planted.py" mix 1 text && "$synth" text mix
cat > sums.py << 'END'
import json, sys
sums = []
for name in sys.argv[1:]:
    rows = [json.loads(line) for line in open(name)]
    parts = sum(row["ns"] for row in rows if row["row"] in ("finding", "rest"))
    assert parts == rows[0]["waited_ns"] + rows[0]["woken_ns"], (name, parts, rows[0])
    sums.append(parts)
assert sums[0] and sums[0] == sum(sums[1:]), sums
END
# parts NAME OPTION WORD...: with each word in turn they add up to all of it.
parts()
{
	name=$1 option=$2 number_of=0
	shift 2
	"$grtrace" report --json all.json mix 2> err
	for word in "$@"; do
		number_of=$((number_of + 1))
		"$grtrace" report --json part$number_of.json "$option" "$word" mix 2>> err
	done
	python3 sums.py all.json part?.json > out 2>> err
	code=$?
	result $code "$name"
	rm -f part?.json
}
parts "intervals that touch add up" -w 0.02 0.02:0.035 0.035:1000
parts "so do rings" --ring render0 compute0 copy0 video0 control
parts "and processes" --pid 20 21 22 23 24
parts "and engines, of which there is one" --engine render
parts "and devices" --dev card0 card1
check "a ring that is not there" 2 'nosuch' "$grtrace" report --ring nosuch mix
check "--delays is about all" 2 'is about all jobs of a ring' "$grtrace" report --delays --pid 20 mix
"$grtrace" report --schema > schema.json 2> err
cat > schema.py << 'END'
import json
branches = {one["properties"]["row"]["const"]: one for one in json.load(open("schema.json"))["oneOf"]}
seen = set()
for line in open("all.json"):
    row = json.loads(line)
    branch = branches[row["row"]]
    seen.add(row["row"])
    assert set(row) == set(branch["properties"]) == set(branch["required"]), row
assert seen == set(branches), seen
END
python3 schema.py > out 2>> err
code=$?
result $code "--schema has each key of each line"
COLUMNS=50 "$grtrace" report hang > out 2> err
! grep -v '^next: \|^      grtrace' out | grep -q '.\{51\}' && grep -q '^#1 A job hung at ' out
code=$?
result $code "on 50 columns"
esc=$(printf '\033')
"$grtrace" report --color=always hang > out 2> err && grep -q "^$esc\[0;1m#1 A job hung" out
code=$?
result $code "--color"
check "no colours in a file" 0 '^#1 A job hung' "$grtrace" report hang
if has_program "a pager on a terminal" script; then
	paged() # PAGER
	{
		GRTRACE_PAGER=$1 PAGER=false script -qec "'$grtrace' report hang" /dev/null \
			< /dev/null > out 2> err
	}
	paged "sed s/^/paged:/"
	grep -q '^paged:.*A job hung' out
	code=$?
	result $code "a pager on a terminal"
	paged ''
	grep -q 'A job hung' out && ! grep -q 'paged' out
	code=$?
	result $code "none if it is empty"
fi
printf 'cpu 0\nring id=1 class=1 name=gfx\nstart ctx=1 ring=1 seqno=1 ts=1000\nend ctx=1 ring=1 seqno=1 ts=900000000\n' |
	"$synth" - unsubmitted
check "nobody submitted it" 0 '^How long 1 job waited is not known: no record says when they' \
	"$grtrace" report unsubmitted
absent "so it may have been late" '^Nothing was late'
# A time that is years away is damage, and what it would say is not known.
cat > absurd.txt << 'END'
cpu none
info start=1000000 real=1700000000000000000 cpus=1
cpu 0
submit ctx=1 ring=1 seqno=1 ts=2000000
commit ctx=1 ring=1 seqno=1 ts=3000000
end ctx=1 ring=1 seqno=1 ts=4000000
complete ctx=1 ring=1 seqno=1 ts=4600000000000000000
submit ctx=1 ring=1 seqno=2 ts=5000000
commit ctx=1 ring=1 seqno=2 ts=6000000
end ctx=1 ring=1 seqno=2 ts=7000000
complete ctx=1 ring=1 seqno=2 ts=8000000
END
"$synth" absurd.txt absurd
check "a time that cannot be" 0 '^1 record had an impossible time, and is left out\.$' \
	"$grtrace" report absurd
check "is in no sum" 0 '^absurd: 6\.00 ms, .*2 jobs, nothing lost$' "$grtrace" report absurd
check "and not known" 0 ',4000000,NA,' "$grtrace" report --csv - absurd
# The screen and the table agree about busy, also where records were lost.
cat > busy.py << 'END'
import re, sys
screen, table = open(sys.argv[1]).read(), open(sys.argv[2]).read()
rows = {}
for line in table.split('BUSY AND IDLE')[1].split('\n\n')[0].splitlines()[1:]:
    title, share = re.match(r'(.*?\S) +([0-9.]+|NA) +[0-9N]', line).groups()
    rows[title] = share
seen = 0
for line in screen.splitlines():
    drawn = re.match(r' (\S.{13}) .* (>?[0-9.]+ %|\?)(  |$)', line)
    if not drawn:
        continue
    name, share = drawn[1].strip(), drawn[2].lstrip('>').removesuffix(' %')
    (row,) = [rows[title] for title in rows if title.endswith(name)]
    if share == '?':
        assert row == 'NA' or float(row) <= 0.1, (line, row)
    else:
        assert abs(float(share) - float(row)) <= 0.0551, (line, row)
    seen += 1
assert seen, screen
END
same_busy() # NAME CAPTURE
{
	"$grtrace" report "$2" > out 2> err && "$grtrace" report --busy "$2" > table 2>> err &&
		python3 -B busy.py out table 2>> err
	code=$?
	result $code "busy is the table's: $1"
}
same_busy "nothing lost" hang
"$build/workload" --seed 21 --jobs 3000 --rings 2 --processes 2 --drop 3 --depend 50 load
same_busy "records lost" load
xz -dc "$here/../captures/demo-7.3/x.grtrace.0.xz" > half.grtrace.0
same_busy "a CPU without its file" half
"$synth" - cut_off << 'END'
cpu 0
ring id=1 class=1 device=card0 name=gfx
submit ctx=1 ring=1 seqno=1 ts=1000000
pick ctx=1 ring=1 seqno=1 ts=1000000
commit ctx=1 ring=1 seqno=1 ts=1000000
start ctx=1 ring=1 seqno=1 ts=1000000
lost events=2 first=1500000 last=1600000
submit ctx=1 ring=1 seqno=2 ts=99000000
END
same_busy "END was lost" cut_off
grep -q '^ gfx .* >0\.5 %' out
code=$?
result $code "not busy until the end"
check "busy all through an interval" 0 '^ [a-z]+0 .* 100\.0 %' "$grtrace" report -w 0.2:0.3 hang

# The sentences where only some jobs, or only an interval, are looked at.
one_line() { "$grtrace" report "$@" 2> err | tr -s ' \n' '  '; }
check "chosen jobs" 0 'began at 0\.0270 s and ran [0-9]+ ms on [a-z0-9]+, until its timeout \(ETIME\)\. None of the chosen jobs waited for it\.' \
	one_line --ring copy0 hang
absent "of others nothing is known" 'No other job'
"$synth" - quiet << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
cpu 0
task pid=7 tgid=7 comm=app
ring id=1 class=1 device=card0 name=gfx
ring id=2 class=1 device=card0 name=dma
submit pid=7 ctx=1 ring=1 seqno=1 ts=2000000
pick ctx=1 ring=1 seqno=1 ts=2000000
commit ctx=1 ring=1 seqno=1 ts=2000000
end ctx=1 ring=1 seqno=1 ts=92000000
complete ctx=1 ring=1 seqno=1 arg=-62 ts=92000000
submit pid=7 ctx=1 ring=1 seqno=2 ts=100000000
pick ctx=1 ring=1 seqno=2 ts=100000000
commit ctx=1 ring=1 seqno=2 ts=100000000
end ctx=1 ring=1 seqno=2 ts=101000000
complete ctx=1 ring=1 seqno=2 ts=101000000
END
check "no other job waited" 0 'ETIME\)\. No other job waited for it\.' one_line quiet
check "nor in an interval" 0 'ETIME\)\. No other job waited for it in this interval\.' \
	one_line -w 0.04:0.05 quiet
check "an interval without a wait" 0 '^No job waited in this interval\.$' \
	"$grtrace" report -w 0.04:0.05 quiet
check "no such job" 0 '^None of the chosen jobs is in the capture\.$' "$grtrace" report --ctx 99 quiet
check "nor in the interval" 0 '^None of the chosen jobs is in this interval\.$' \
	"$grtrace" report --ctx 99 -w 0.04:0.2 quiet
check "from the start of the session" 0 '^ +0 s +101 ms +busy' "$grtrace" report quiet
# A job that was handed over again had waited through the reset itself.
cp "$here/../captures/truth-resubmit-old/x.grtrace.0" handed.grtrace.0
check "it waited itself" 0 '100:1 of appA \(10\) hung on gfx for 56\.0 us, from 0\.000014 s, until it was handed over again; it waited itself until then\.' \
	one_line handed
absent "not others" 'Other jobs'
"$synth" - few << 'END'
cpu 0
ring id=1 class=1 device=card0 name=gfx
submit ctx=1 ring=1 seqno=1 ts=1000
pick ctx=1 ring=1 seqno=1 ts=6000
commit ctx=1 ring=1 seqno=1 ts=6000
end ctx=1 ring=1 seqno=1 ts=9000
complete ctx=1 ring=1 seqno=1 ts=9000
lost events=6 first=20000 last=30000
END
check "more may have waited" 0 '1 job waited 5\.00 us from SUBMIT to START, less than 1\.00 ms; 6 records were lost, so more may have waited\.' \
	one_line few
absent "there are no others" 'of others'
printf 'cpu 0\nring id=1 class=1 name=gfx\nsubmit ctx=1 ring=1 seqno=1 ts=1000\n' | "$synth" - waits
check "one that never began" 0 'Why jobs waited is not known: no record says when they began\. No record says that 1 job began: it was thrown away, or not over at the end\.' \
	one_line waits
: > empty.grtrace.0
"$grtrace" report empty > out 2> err
[ ! -s out ] && grep -q 'the capture is empty' err
result $? "an empty file has no report"
for cpu in 0 1; do
	xz -dc "$here/../captures/demo-7.3/x.grtrace.$cpu.xz" > demo.grtrace.$cpu
done
for cpu in 0 1; do
	xz -dc "$here/../captures/idle-ring/x.grtrace.$cpu.xz" > module.grtrace.$cpu
done
check "a ring that is idle is not that of those who wait" 0 \
	'"text":"5 jobs on compute0 waited 10\.1 ms while copy0 had a job, ran none, and did not begin it\.' \
	"$grtrace" report --json - --ring compute0 --since 987089936ns --until 1021046876ns module
# Each job needs the one before it, on the next ring.
chain()
{
	echo 'cpu 0'
	for job in $(seq 20); do
		echo "submit pid=10 ctx=$job ring=$job seqno=1 ts=$((1000000 + job))"
		[ "$job" = 1 ] || echo "blocked ctx=$job ring=$job seqno=1 fence=$((job - 1)):1 ts=$((1000000 + job))"
	done
	for job in $(seq 20); do
		echo "pick ctx=$job ring=$job seqno=1 ts=$((10000000 * job))"
		echo "commit ctx=$job ring=$job seqno=1 fence=90:$job ts=$((10000000 * job))"
		echo "fence ctx=90 seqno=$job ts=$((10000000 * job + 9999999))"
		echo "complete ctx=$job ring=$job seqno=1 ts=$((10000000 * job + 9999999))"
	done
}
chain > chain.txt
"$synth" chain.txt chain
check "a longer chain is not followed" 0 \
	'"text":"4 jobs on 4 rings waited 96\.0 ms behind a longer chain of jobs, or more at a time, than is followed\."' \
	"$grtrace" report --json - chain
check "a process without a name has none in JSON" 0 '"tgid":10,"comm":null,' "$grtrace" report --json - chain
torn()
{
	for columns in 80 72 61 50; do
		"$grtrace" report --full --width $columns demo | sed '/^Report of/,$d'
	done | tee screens | grep -E '^(|.{19,} ) +(s|ms|us|ns|%)([ .,;:)]|$)|^(s|ms|us|ns|%)([ .,;:)]|$)'
}
torn > out 2> err
[ ! -s out ] && [ "$(grep -c '^#1 ' screens)" = 4 ]
code=$?
result $code "no number without its unit"
"$grtrace" report hang > out 2> err
started=$("$grtrace" report --csv - hang 2> err | awk -F, '$4 == 200 && $5 == 1 { print $11; exit }')
next=$(sed -n 's/.*timeline -w \([0-9.]*\):.*/\1/p' out)
echo "$next from $started" >> out
awk -v next_at="$next" -v started="$started" 'BEGIN { exit !(next_at * 1e9 <= started - 1e9 && next_at * 1e9 + 1e6 > started - 1e9) }'
code=$?
result $code "what to look at begins where the job did"

# Jobs that failed, and none that waited.
cat > failing.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
cpu 0
ring id=1 class=1 name=gfx
ring id=2 class=3 name=copy
submit ctx=5 ring=1 seqno=1 ts=10000
start ctx=5 ring=1 seqno=1 ts=11000
end ctx=5 ring=1 seqno=1 ts=12000
complete ctx=5 ring=1 seqno=1 ts=13000 arg=-5
submit ctx=6 ring=2 seqno=1 ts=30000
start ctx=6 ring=2 seqno=1 ts=31000
error ctx=6 ring=2 seqno=1 kind=1 code=0 ts=32000
end ctx=6 ring=2 seqno=1 ts=32000
complete ctx=6 ring=2 seqno=1 ts=33000 arg=-62
submit ctx=6 ring=2 seqno=2 ts=40000
start ctx=6 ring=2 seqno=2 ts=41000
end ctx=6 ring=2 seqno=2 ts=42000
complete ctx=6 ring=2 seqno=2 ts=43000
END
"$synth" failing.txt failing
check "jobs that failed come before that none waited" 0 \
	'^2 jobs failed on gfx and copy, first 5:1 at 0\.000012 s \(-EIO\); grtrace report$' \
	"$grtrace" report failing
grep -q '^--csv - lists them, labelled failed\.$' out
result $? "and how to see them all"
absent "it does not look as if all was well" '^Nothing was late'
check "how to look at the first of them" 0 '^next: grtrace explain 5:1 failing$' "$grtrace" report failing
check "where the choice is that of one" 0 \
	'^1 job failed on copy, 6:1 at 0\.000032 s \(timeout, -ETIME\); see grtrace explain\.$' \
	"$grtrace" report --ring copy failing
{
	grep -v '^ring' failing.txt | sed 's/ring=[12] //'
	printf '%s\n' 'submit ctx=7 ring=3 seqno=1 ts=50000' 'submit ctx=7 ring=3 seqno=2 ts=50000' \
		'start ctx=7 ring=3 seqno=1 ts=50000' 'end ctx=7 ring=3 seqno=1 ts=900000000' \
		'start ctx=7 ring=3 seqno=2 ts=900000000' 'end ctx=7 ring=3 seqno=2 ts=900001000'
} | "$synth" - late
check "beside what was late they come after it" 0 '^2 jobs failed, first 5:1 ' "$grtrace" report late

# A job that hangs has an ERROR, and perhaps never a COMPLETE. It did not fail before that.
cat > stuck.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
cpu 0
ring id=1 class=1 name=gfx
submit ctx=5 ring=1 seqno=1 ts=1000000
commit ctx=5 ring=1 seqno=1 fence=50:1 ts=1000000
submit ctx=6 ring=1 seqno=1 ts=2000000
commit ctx=6 ring=1 seqno=1 fence=50:2 ts=2000000
complete ctx=6 ring=1 seqno=1 ts=100000000 arg=-5
error ctx=5 ring=1 seqno=1 kind=1 code=-62 ts=500000000
submit ctx=7 ring=1 seqno=1 ts=600000000
END
"$synth" stuck.txt stuck
check "the first that failed, not the first that was submitted" 0 \
	'^2 jobs failed on gfx, first 6:1 at 0\.1000 s \(-EIO\);' "$grtrace" report stuck
grep -v 'ctx=6' stuck.txt | "$synth" - stuck
check "a job that never completes failed with its ERROR" 0 \
	'^1 job failed on gfx, 5:1 at 0\.5000 s \(timeout, -ETIME\);' "$grtrace" report stuck

# A ring that works on several jobs at once may begin one before the one in front of it is done.
cat > overtaken.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
cpu 0
ring id=1 class=1 name=gfx
submit ctx=5 ring=1 seqno=1 ts=1000
commit ctx=5 ring=1 seqno=1 fence=5:1 ts=1100
submit ctx=5 ring=1 seqno=2 ts=1150
commit ctx=5 ring=1 seqno=2 fence=5:2 ts=1200
submit ctx=6 ring=1 seqno=1 ts=1250
commit ctx=6 ring=1 seqno=1 fence=6:1 ts=1300
end ctx=5 ring=1 seqno=2 ts=1400
end ctx=6 ring=1 seqno=1 ts=1500
end ctx=5 ring=1 seqno=1 ts=1900
END
"$synth" overtaken.txt overtaken
check "no bounds where a ring was out of order" 0 \
	' START is inferred, not recorded, for all jobs, as if their rings worked in order\. ' \
	one_line overtaken
check "nor where only other jobs were chosen" 0 \
	' for all jobs, as if their rings worked in order\. ' one_line --ctx 6 overtaken
sed '/seqno=1 ts=1900/d; /end ctx=5/i end ctx=5 ring=1 seqno=1 ts=1350' overtaken.txt | "$synth" - ordered
check "bounds where all were in order" 0 \
	' for all jobs: queue times are at least, execution times at most what is shown\. ' \
	one_line ordered

# A hang that a finding names is not reported a second time, whichever finding that is.
cat > second.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=2
ring id=1 class=1 device=card0 driver=mock name=gfx
cpu 0
task pid=101 tgid=101 comm=game ts=1000
submit pid=101 ctx=5 ring=1 seqno=1 arg=1 ts=1000000
pick pid=101 ctx=5 ring=1 seqno=1 arg=1 ts=1000100
commit pid=101 ctx=5 ring=1 seqno=1 fence=50:1 ts=1000200
submit pid=101 ctx=6 ring=1 seqno=1 arg=1 ts=1000300
pick pid=101 ctx=6 ring=1 seqno=1 arg=1 ts=1000400
commit pid=101 ctx=6 ring=1 seqno=1 fence=50:2 ts=1000500
error ctx=5 ring=1 seqno=1 kind=1 code=-62 ts=51000000
fence ctx=50 seqno=1 flags=9 ts=51001000
complete ctx=5 ring=1 seqno=1 flags=9 arg=-62 ts=51002000
fence ctx=50 seqno=2 flags=9 ts=52000000
complete ctx=6 ring=1 seqno=1 flags=9 ts=52001000
submit pid=101 ctx=7 ring=1 seqno=1 arg=1 ts=61000000
pick pid=101 ctx=7 ring=1 seqno=1 arg=1 ts=261000000
commit pid=101 ctx=7 ring=1 seqno=1 fence=50:3 ts=261000100
fence ctx=50 seqno=3 flags=9 ts=262000000
complete ctx=7 ring=1 seqno=1 flags=9 ts=262001000
END
"$synth" second.txt second
check "a hang in the second finding" 0 '^#2 A job hung +5:1 of game ' "$grtrace" report second
absent "is reported once" 'failed on|explain 5:1'
sed '$s/ts=/arg=-5 ts=/' second.txt | "$synth" - third
check "beside it, a failure that is no hang" 0 '^2 jobs failed on gfx, first 5:1 at 0\.0510 s ' \
	"$grtrace" report third
check "and how to look at the first of them" 0 '^      grtrace explain 5:1 third$' "$grtrace" report third
[ "$(sed -n '/^next: /,$p' out | wc -l)" = 3 ]
result $? "in three commands at most"
"$grtrace" report --csv - third 2> err | grep -c ',failed,' > out
code=$?
[ "$(cat out)" = 2 ]
result $? "--csv lists those that failed"
"$grtrace" report --full third 2> err | sed '/^Report of/,$d' > out
code=$?
grep -q '^      grtrace explain 5:1 third$' out && ! grep -q -e '--full' out
result $? "--full does not name itself"

mkdir there && cp hang* there
check "what to type next, from here" 0 '^next: grtrace explain [0-9]+:[0-9]+ there/hang$' \
	"$grtrace" report there/hang
check "from a folder that was named" 0 '^      grtrace report --full there/hang$' \
	"$grtrace" report -D there hang
check "what was chosen goes with it, as it was typed" 0 \
	"^      grtrace report --full -w 0:0\\.7 --since 10us --ring 'card0 video0' --pid 20,101 --limit 900 hang$" \
	"$grtrace" report -w 0:0.7 --since=10us --ring 'card0 video0' --pid 20,101 --limit 900 hang
next=$(sed -n 's/^ *grtrace report/report/p' "$work/out")
eval "set -- $next"
check "and can be typed" 0 '^Report of hang$' "$grtrace" "$@"
"$grtrace" report /dev/fd/3 3< hang.grtrace.0 > out 2> err
code=$?
[ $code = 0 ] && ! grep -q 'grtrace report' out
result $? "an input that can be read once has no next command"

finish
