#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# blkparse's options that are more than a choice of events: times on each line,
# tables of programs, batches, messages, a live stream, exit codes.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$synth" "$fixtures/two_cpus.txt" two
"$synth" --stream "$fixtures/two_cpus.txt" two.stream
"$synth" "$fixtures/virtio.txt" virtio
"$synth" "$fixtures/loss.txt" loss

# -t
"$grparse" -q -t two > times.two
for line in 'UN   G gfx 5:1 <- 4:9 (2.000)' 'I   G gfx 5:1 + 1 (4.000)' 'D   G gfx 5:1 -> 7:1 (1.000)' \
	'FS   - 7:1 (54.000)' 'C   G gfx 5:1 [0] (55.000)' 'WX   - 5:1 [glxgears] (54.000)'; do
	grep -qF "$line" times.two
	result $? "-t: $line"
done
[ "$(grep -c ')$' times.two)" = 10 ]
result $? "-t: nothing where no step came before"
check "-t: an END" 0 '  E   N controlq 20:1 \(30\.000\)$' "$grparse" -q -t virtio
printf 'cpu 0\nsubmit ctx=5 ring=1 seqno=1 ts=100000\npick ctx=5 ring=1 seqno=1 ts=102000\nfence ctx=9 seqno=1 ts=130000\ncommit ctx=5 ring=1 seqno=1 fence=9:1 ts=140000\n' |
	"$synth" - early
check "-t: a COMMIT that is recorded late" 0 ' 5:1 -> 9:1 \(38\.000\)$' "$grparse" -q -t early
check "-t: completed by a fence of its own" 0 ' FS   - 21:1 \(31\.000\)$' "$grparse" -q -t virtio
printf 'cpu 0\nsubmit ctx=5 ring=1 seqno=1 ts=1000\ncommit ctx=5 ring=1 seqno=1 fence=6:1 ts=101000
start ctx=5 ring=1 seqno=1 ts=301001\nend ctx=5 ring=1 seqno=1 ts=601001\n' | "$synth" --stream - told
"$grparse" -q -t -f '%a %u\n' told > out
printf 'Q -\nD 100.000\nB 200.001\nE 300.000\n' > want
same "-t: START told" out want
check "%u has a width" 0 '^UN    2\.000\|2\.000   \|$' "$grparse" -q -t -f '%a %8u|%-8u|\n' two
check "%E is as in the default" 0 '^UN x \(2\.000\)\|$' "$grparse" -q -t -f '%a x%E|\n' two
check "%u wants -t" 0 '^UN -\|\|$' "$grparse" -q -f '%a %u|%E|\n' two
check "-f before -t" 0 '^UN 2\.000$' "$grparse" -q -f '%a %u\n' -t two
check "-t in --csv" 0 ',pick,I,.*,mock,4000(,NA)*$' "$grparse" -q -t --csv two
check "%q and %U" 0 '^Q 2 1$' "$grparse" -q -f '%a %q %U\n' two

# Tables of programs.
cat > programs.txt << 'END'
cpu none
info start=0 cpus=1
ring id=1 class=1 device=card0 driver=mock name=gfx
cpu 0
task pid=10 tgid=10 comm=web ts=1000
task pid=20 tgid=20 comm=game
task pid=30 tgid=30 comm=web
submit pid=10 ctx=1 ring=1 seqno=1 ts=10000
commit pid=10 ctx=1 ring=1 seqno=1 fence=11:1 ts=20000
fence ctx=11 seqno=1 ts=920000
complete ctx=1 ring=1 seqno=1 ts=930000
submit pid=20 ctx=2 ring=1 seqno=1 ts=1000000
commit pid=20 ctx=2 ring=1 seqno=1 fence=12:1 ts=1100000
fence ctx=12 seqno=1 ts=1200000
complete pid=20 ctx=2 ring=1 seqno=1 ts=1210000 arg=-5
submit pid=20 ctx=2 ring=1 seqno=2 ts=1300000
wait_enter pid=30 ctx=30 seqno=1 ts=1400000
wait_enter pid=20 ctx=30 seqno=1
wait_exit pid=30 ctx=30 seqno=1 ts=1450000
submit pid=30 ctx=3 ring=1 seqno=1 ts=1500000
commit pid=30 ctx=3 ring=1 seqno=1 fence=13:1 ts=2000000
fence ctx=13 seqno=1 ts=2010000
complete ctx=3 ring=1 seqno=1 ts=2020000
END
"$synth" programs.txt programs

# order KEY PIDS
order()
{
	"$grparse" -O -S "$1" programs > out 2> err
	code=$?
	[ "$(awk '/^(web|game) / {print $2}' out | paste -sd ' ')" = "$2" ]
	result $? "-S $1"
}
order N '20 10 30'
order q '20 10 30'
order c '10 20 30'
order w '30 10 20'
order f '20 10 30'
order Q '30 20 10'
order C '10 20 30'
order W '30 10 20'
check "waits are who waits's, with their time" 0 '^web +30 +1 +1 +1 +0 +10 +50 +500$' "$grparse" -O -s programs
check "and not without their end" 0 '^game +20 +2 +1 +0 ' "$grparse" -O -s programs
# Two waits for jobs of others, for one of which another one waits meanwhile.
cat > late.txt << 'END'
info start=0
cpu 0
task pid=10 tgid=10 comm=app
task pid=20 tgid=20 comm=late
submit pid=10 ctx=1 ring=1 seqno=1 ts=10000
complete ctx=1 ring=1 seqno=1 ts=20000
submit pid=10 ctx=1 ring=1 seqno=2 ts=30000
wait_enter pid=10 ctx=1 seqno=2 ts=31000
complete ctx=1 ring=1 seqno=2 ts=80000
wait_enter pid=20 ctx=1 seqno=1 ts=81000
wait_exit pid=20 ctx=1 seqno=1 ts=82000
wait_enter pid=20 ctx=1 seqno=2 ts=83000
wait_exit pid=20 ctx=1 seqno=2 ts=84000
wait_exit pid=10 ctx=1 seqno=2 ts=87000
END
"$synth" late.txt late
check "a late wait is one" 0 '^late +20 +0 +0 +2 +0 +0 +2 +0$' "$grparse" -O -s late
check "whoever else waits" 0 '^app +10 +2 +2 +1 +0 +NA +56 ' "$grparse" -O -s late
{ cat late.txt; for fence in $(seq 260); do echo "wait_enter pid=20 ctx=9 seqno=$fence"; done; } | "$synth" - crowd
check "waits that are too many at once are counted" 0 '^4 waits are not in the table: their threads had more than 256 at once$' \
	"$grparse" -O -s crowd
check "-s is by pid" 0 '^web +10 +1 +1 +0 +0 +900 +0 +10$' "$grparse" -O -s programs
check "-h adds up" 0 '^web +- +2 +2 +1 +0 +910 +50 +510$' "$grparse" -O -s -h programs
[ "$(grep -c '^web' out)" = 1 ]
result $? "in one row"
check "-t adds steps" 0 '^web +- +2 .* 255 +500 +465 +910$' "$grparse" -O -s -h -t programs
check "bad -S" 2 '-S wants one of' "$grparse" -S R programs
check "-S of two letters" 2 '-S wants one of' "$grparse" -S Nq programs

# -M
"$grparse" -q -O -M -d quiet two
check "-M" 0 '17 entries' "$grparse" quiet
absent "leaves messages out of the stream" ' m '
check "and loses nothing by it" 0 'Lost: 0 records' "$grparse" --strict quiet

# -b: two CPUs that take turns, each three records at a time.
printf 'cpu 0\nsubmit seqno=1 gseq=3 ts=300\nsubmit seqno=2 ts=400\nsubmit seqno=3 ts=500
cpu 1\nsubmit seqno=4 gseq=0 ts=10\nsubmit seqno=5 ts=100\nsubmit seqno=6 ts=200\n' |
	"$synth" --stream - turns
check "a stream is put in order" 0 '' "$grparse" -q -f '%S ' turns
[ "$(cat out)" = '4 5 6 1 2 3 ' ]
result $? "of its numbers"
check "-b that is too small" 1 'came too late' "$grparse" -q -b 1 turns
check "-b that is enough" 0 '' "$grparse" -q -b 4 -f '%S ' turns
[ "$(cat out)" = '4 5 6 1 2 3 ' ]
result $? "puts them in order, too"
check "bad -b" 2 '-b wants a number' "$grparse" -b 0 turns
check "-b without end" 2 '-b wants a number' "$grparse" -b 99999999999 turns

# Live: existing records are shown before the writer continues.
mkfifo live
"$grparse" -q -f '%a\n' -i - < live > shown &
exec 3> live
size=$(wc -c < two.stream)
head -c $((size / 2)) two.stream >&3
tries=100
until [ -s shown ] || [ "$tries" = 0 ]; do
	sleep 0.1
	tries=$((tries - 1))
done
before=$(wc -l < shown)
tail -c +$((size / 2 + 1)) two.stream >&3
exec 3>&-
wait
[ "$before" -gt 0 ] && [ "$before" -lt 18 ] && [ "$(wc -l < shown)" = 18 ]
result $? "live from -i -"

# Exit codes.
check "0: all was read" 0 '' "$grparse" -q two
check "0: records were lost" 0 '' "$grparse" -q loss
check "3: they were, and --strict" 3 '' "$grparse" -q --strict loss
check "0: --strict and nothing was lost" 0 '' "$grparse" -q --strict two
check "1: something could not be read" 1 '' "$grparse" -q nope
printf 'garbage!' >> loss.grtrace.1
check "1: even if records were lost" 1 'damaged' "$grparse" -q --strict loss
check "2: wrong usage" 2 '' "$grparse" -q --bogus two
check "-f with --csv" 2 '-f and -F are for lines of text' "$grparse" --csv -f '%a\n' two
check "--explain with -t" 2 '--explain .* cannot be combined with filters' "$grparse" --explain 5:1 -t two

finish
