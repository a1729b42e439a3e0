#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# grtrace explain: the story of one job; grparse --explain runs it.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A line each, however long; those for a terminal are looked at below.
export COLUMNS=1000
"$synth" "$fixtures/explain.txt" run
"$synth" "$fixtures/two_cpus.txt" two
"$synth" "$fixtures/virtio.txt" virtio

# says TEXT: the story has this line.
says()
{
	grep -qF -- "$1" out
	result $? "$1"
}

# stories N WHAT ARG...: explain with these prints this many.
stories()
{
	wanted=$1
	title=$2
	shift 2
	check "$title" 0 '' "$grtrace" explain "$@"
	[ "$(grep -c ': job [0-9]*:[0-9]* on ' out)" = "$wanted" ]
	result $? "$title: $wanted"
}

check "a job by its name" 0 '^run: job 5:2 on ring gfx \(id 1, render\) of card0 \(mock\)$' \
	"$grtrace" explain 5:2 run
says '0.000010000  game (thread 101 of process 100) submitted it [Q, CPU 0, gseq 12, software]'
says '0.000011000  it depends on the fence 9:1, of job 9:1 of browser (thread 200 of process 200) [DP, CPU 0, gseq 13, software]'
says '0.000012000  it depends on the fence 4:4, of no job that is in flight and recorded [DP, CPU 0, gseq 14, software]'
says '0.000013000  the scheduler cannot continue with it because of the fence 9:1 [UN, CPU 0, gseq 15, software]'
says '0.000014000  game (thread 101 of process 100) begins to wait for it [WE, CPU 0, gseq 16, software]'
says '0.000021000  the fence 9:1 is signalled [C, CPU 1, gseq 18, interrupt]'
says '0.000025000  the scheduler takes it off its queue [I, CPU 0, gseq 21, software]'
says '0.000026000  it is handed to the ring, with the hardware fence 50:3 [D, CPU 0, gseq 22, software]'
says '0.000030000  inferred: the hardware can begin with it, because the ring is done with job 6:1 of browser (thread 200 of process 200) [FS, CPU 1, gseq 23, interrupt]'
says '0.000026500  3 records of CPU 0 found no room until 0.000026700: this story may have a gap [mL, CPU 0, before cseq'
says '0.000042000  the hardware is done with it [FS, CPU 1, gseq 25, interrupt]'
says '0.000043000  its completion is visible to waiters, with the error -125 (Operation canceled) [C, CPU 1, gseq 26, interrupt]'
says '0.000045000  game (thread 101 of process 100) continues, after 31.000 us [WX, CPU 0, gseq 27, software]'
absent "what the list of its time says stands there only" '^It was handed|^It waited|^The hardware worked|^Its end|^In all|^It was blocked|^None of its'
says 'It took 33.000 us, 12.000 us (36 %) of that running on card0 gfx. Before that it waited 20.000 us, longest 10.000 us (30 %) as it needed a fence: job 9:1 of browser (200) ran on card0 copy.'
says '  23.6 %    7.800 us  job 6:1 of browser (200) ran on card0 gfx [B to its end]'
says '   3.0 %    1.000 us  job 5:1 of its own process, game (100), ran on card0 gfx [B to its end]'
says '  36.4 %   12.000 us  it ran itself [B to its end]'
says '   0.6 %      200 ns  records were lost: nothing is known about that time'
says ' 100.0 %   33.000 us  Q to C, 20.000 us of it waiting [Q to B]'
says 'No record has its START.'
says 'It failed with -125 (Operation canceled).'
says 'Records were lost in 1 places while it was there: this may not be all.'
check "a key that was used again: each job" 0 '^run: job 5:4294967298 on ring gfx' "$grtrace" explain 5:2 run
[ "$(grep -c '^run: job' out)" = 2 ]
result $? "and no other"
says '0.004001000  the hardware begins with it [B, CPU 0, gseq 32, hardware]'
says ' 100.0 %    4.000 us  Q to C, 1.000 us of it waiting [Q to B]'
says 'It took 4.000 us, 2.000 us (50 %) of that running on '
says 'No record was lost while it was there.'
# The next job of a queue whose first one a fence blocks.
cat > held.txt << 'END'
cpu 0
task pid=101 tgid=100 comm=game ts=1000
task pid=200 tgid=200 comm=browser
submit pid=200 ctx=9 ring=2 seqno=1 ts=5000
submit pid=101 ctx=5 ring=1 seqno=1 ts=8000
submit pid=101 ctx=6 ring=1 seqno=1 ts=9000
blocked pid=12 ctx=5 ring=1 seqno=1 fence=9:1 ts=10000
submit pid=101 ctx=5 ring=1 seqno=2 ts=12000
pick pid=12 ctx=5 ring=1 seqno=1 ts=20000
pick pid=12 ctx=5 ring=1 seqno=2 ts=21000
blocked pid=12 ctx=5 ring=1 seqno=3 fence=9:1 ts=22000
pick pid=12 ctx=5 ring=1 seqno=3 ts=23000
end ctx=5 ring=1 seqno=2 ts=30000
END
"$synth" held.txt held
check "a job behind a blocked one" 0 '^ +88\.9 %    8\.000 us  the fence 9:1, of no job known to have ended, blocked \[UN to UN or I\]$' \
	"$grtrace" explain 5:2 held
says '                        9:1 <- 5:1 <- 5:2'
says ' 100.0 %    9.000 us  Q to B'
# Around the time in which it is in flight a task waits before its first record, records are
# lost until after that, and others after its COMPLETE.
cat > edges.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
ring id=1 class=1 device=card0 driver=mock name=gfx
cpu 0
task pid=101 tgid=100 comm=game ts=1000
wait_enter pid=101 ctx=5 seqno=1 ts=2000
wait_enter pid=102 ctx=5 seqno=2 ts=2500
wait_exit pid=102 ctx=5 seqno=2 ts=2600
lost events=1 first=3000 last=6000
pick pid=12 ctx=5 ring=1 seqno=1 ts=5000
commit pid=12 ctx=5 ring=1 seqno=1 fence=50:1 ts=6500
complete ctx=5 ring=1 seqno=1 ts=9000
submit pid=101 ctx=5 ring=1 seqno=2 ts=9500
complete ctx=5 ring=1 seqno=2 ts=9600
lost events=1 first=10000 last=10500
wait_exit pid=101 ctx=5 seqno=1 ts=11000
lost events=1 first=12000 last=12500
END
"$synth" edges.txt edges
check "a task waited before its first record" 0 \
	'^ +0\.000002000  game \(thread 101 of process 100\) begins to wait for it \[WE, CPU 0, ' \
	"$grtrace" explain 5:1 edges
says '0.000011000  game (thread 101 of process 100) continues, after 9.000 us [WX, CPU 0, '
says '0.000003000  1 records of CPU 0 found no room until 0.000006000: '
says '0.000010000  1 records of CPU 0 found no room until 0.000010500: '
says 'Records were lost in 1 places while it was there: this may not be all.'
absent "a loss when nobody waits for it any more" '0\.000012000'
check "records lost only after its COMPLETE" 0 '^No record was lost while it was there\.$' \
	"$grtrace" explain 5:2 edges
absent "nor is a loss part of its story" 'found no room'
absent "a wait that had ended before it was submitted" 'to wait for it'
"$grtrace" report --csv edges.csv edges > /dev/null
[ "$(cut -d , -f 28 edges.csv | tr '\n' ' ')" = 'lost 1 0 ' ]
result $? "as rows of jobs have it"
# Each fence that blocked it, when it began to.
cat > twice.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
cpu 0
task pid=101 tgid=100 comm=game ts=1000
task pid=200 tgid=200 comm=browser
submit pid=200 ctx=9 ring=2 seqno=1 ts=5000
submit pid=101 ctx=5 ring=1 seqno=1 ts=8000
blocked pid=12 ctx=5 ring=1 seqno=1 fence=9:1 ts=10000
blocked pid=12 ctx=5 ring=1 seqno=1 fence=9:1 ts=11000
blocked pid=12 ctx=5 ring=1 seqno=1 fence=8:1 ts=12000
pick pid=12 ctx=5 ring=1 seqno=1 ts=20000
END
"$synth" twice.txt twice
check "two fences blocked it" 0 '^ +0\.000012000  the scheduler cannot continue with it because of the fence 8:1 \[UN, CPU 0, gseq [0-9]*, software\]$' \
	"$grtrace" explain 5:1 twice
says '0.000010000  the scheduler cannot continue with it because of the fence 9:1 [UN, CPU 0, '
absent "a fence is named when it begins to block" '0\.000011000'
check "one of another context stands behind nobody" 0 '^held: job 6:1 ' "$grtrace" explain 6:1 held
absent "it is not told so" '<- 6:1'
# A fence of a job that waited in its own process's queue, which is not that of this job.
cat > others.txt << 'END'
cpu 0
ring id=1 class=1 name=gfx
ring id=2 class=3 name=copy
task pid=101 tgid=100 comm=game ts=900000
task pid=200 tgid=200 comm=browser ts=900000
submit pid=200 ctx=8 ring=2 seqno=1 ts=1000000
start ctx=8 ring=2 seqno=1 ts=2000000
submit pid=200 ctx=9 ring=2 seqno=1 ts=3000000
submit pid=101 ctx=5 ring=1 seqno=1 ts=5000000
blocked pid=12 ctx=5 ring=1 seqno=1 fence=9:1 ts=5000000
end ctx=8 ring=2 seqno=1 ts=30000000
complete ctx=8 ring=2 seqno=1 ts=30000000
start ctx=9 ring=2 seqno=1 ts=30000000
end ctx=9 ring=2 seqno=1 ts=40000000
complete ctx=9 ring=2 seqno=1 ts=40000000
pick pid=12 ctx=5 ring=1 seqno=1 ts=40000000
start ctx=5 ring=1 seqno=1 ts=40000000
end ctx=5 ring=1 seqno=1 ts=50000000
complete ctx=5 ring=1 seqno=1 ts=50000000
END
"$synth" others.txt others
check "a queue of another process" 0 '^ +55\.6 %   25\.000 ms  job 8:1 of browser \(200\) ran on card0 copy \[B to its end\]$' \
	"$grtrace" explain 5:1 others
check "which is said of it in report" 0 'waited 52\.0 ms for earlier jobs of that$' "$grtrace" report --width 80 others
# Commands that the host had one after the other.
cat > host.txt << 'END'
cpu 0
ring id=1 class=1 name=control driver=virtio_gpu
task pid=200 tgid=200 comm=browser ts=900
submit pid=200 ctx=8 ring=1 seqno=1 ts=1000000
commit ctx=8 ring=1 seqno=1 ts=1000000
submit pid=200 ctx=8 ring=1 seqno=2 ts=1000000
commit ctx=8 ring=1 seqno=2 ts=1000000
submit pid=200 ctx=8 ring=1 seqno=3 ts=1000000
commit ctx=8 ring=1 seqno=3 ts=1000000
start ctx=8 ring=1 seqno=1 ts=1000000
end ctx=8 ring=1 seqno=1 ts=10000000
complete ctx=8 ring=1 seqno=1 ts=10000000
start ctx=8 ring=1 seqno=2 ts=10000000
end ctx=8 ring=1 seqno=2 ts=20000000
complete ctx=8 ring=1 seqno=2 ts=20000000
start ctx=8 ring=1 seqno=3 ts=20000000
end ctx=8 ring=1 seqno=3 ts=30000000
complete ctx=8 ring=1 seqno=3 ts=30000000
END
"$synth" host.txt host
check "a time of several jobs is that of all" 0 '^ +65\.5 %   19\.000 ms  the host of the virtual machine had 2 jobs of .*, longest 8:2 for 10\.000 ms \[D to their ends\]$' \
	"$grtrace" explain 8:3 host
check "how to go on to what it waited for" 0 '^next: grtrace explain --root 8:2 host$' "$grtrace" explain 8:3 host
mkdir there && cp host* there
check "from here" 0 '^next: grtrace explain --root -b 900 8:2 there/host$' "$grtrace" explain -b 900 -D there 8:3 host
"$grtrace" explain --root 8:3 host > out 2> err
! grep -q next: out
code=$?
result $code "not when it goes on by itself"
"$grtrace" explain 8:1 host > out 2> err
! grep -q next: out
code=$?
result $code "nor when there is nothing to go on to"
check "a narrow screen has its next commands" 0 '^next: grtrace explain 8:1 host$' "$grtrace" report --width 40 host
# The fence 4:4 is that of no job: there is nothing to explain about it.
cat > foreign.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=2
ring id=1 class=1 device=card0 driver=mock name=gfx
cpu 0
task pid=101 tgid=101 comm=game ts=1000
submit pid=101 ctx=5 ring=1 seqno=1 ts=1000000
dep pid=101 ctx=5 ring=1 seqno=1 fence=4:4
blocked pid=101 ctx=5 ring=1 seqno=1 fence=4:4
submit pid=101 ctx=6 ring=1 seqno=1 ts=2000000
dep pid=101 ctx=6 ring=1 seqno=1 fence=5:1
blocked pid=101 ctx=6 ring=1 seqno=1 fence=5:1
fence ctx=4 seqno=4 flags=9 ts=90000000
pick pid=101 ctx=5 ring=1 seqno=1 ts=90001000
commit pid=101 ctx=5 ring=1 seqno=1 fence=50:1
fence ctx=50 seqno=1 flags=9 ts=100000000
complete ctx=5 ring=1 seqno=1 flags=9
pick pid=101 ctx=6 ring=1 seqno=1
commit pid=101 ctx=6 ring=1 seqno=1 fence=50:2
fence ctx=50 seqno=2 flags=9 ts=101000000
complete ctx=6 ring=1 seqno=1 flags=9
END
"$synth" foreign.txt foreign
check "a fence of no job" 0 'as the fence 4:4, of no job known to' "$grtrace" explain 5:1 foreign
absent "it is no job to go on to" '^next:'
check "but the job that it blocked is one" 0 '^next: grtrace explain --root 5:1 foreign$' "$grtrace" explain 6:1 foreign
stories 2 "--root stops before the fence" --root 6:1 foreign
check "report names a job that waited" 0 '^next: grtrace explain (5:1|6:1) foreign$' "$grtrace" report foreign
# A reset: what was handed over before it came to nothing.
cat > again.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
cpu 0
task pid=10 tgid=10 comm=app ts=1000
submit pid=10 ctx=5 ring=1 seqno=1 ts=10000
pick ctx=5 ring=1 seqno=1 ts=12000
commit ctx=5 ring=1 seqno=1 fence=50:1 ts=14000
start ctx=5 ring=1 seqno=1 ts=15000
error ctx=5 ring=1 seqno=1 kind=3 code=0 ts=60000
fence ctx=50 seqno=1 ts=65000
commit ctx=5 ring=1 seqno=1 fence=50:2 ts=70000
start ctx=5 ring=1 seqno=1 ts=72000
fence ctx=50 seqno=2 ts=100000
complete ctx=5 ring=1 seqno=1 ts=105000
complete ctx=5 ring=1 seqno=1 arg=-5 ts=108000
submit pid=10 ctx=5 ring=1 seqno=2 ts=210000
pick ctx=5 ring=1 seqno=2 ts=212000
commit ctx=5 ring=1 seqno=2 fence=50:3 ts=214000
commit ctx=5 ring=1 seqno=2 fence=50:4 ts=220000
fence ctx=50 seqno=4 ts=230000
complete ctx=5 ring=1 seqno=2 ts=235000
commit ctx=5 ring=1 seqno=2 fence=50:5 ts=240000
END
"$synth" again.txt again
check "a job that was handed over again" 0 '^again: job 5:1 ' "$grtrace" explain 5:1 again
says '0.000014000  it is handed to the ring, with the hardware fence 50:1 [D, CPU 0, gseq 3, '
says '0.000015000  the hardware begins with it, before it is handed over again [B, CPU 0, gseq 4, '
says '0.000060000  error: reset, code 0 [ER, CPU 0, gseq 5, '
says '0.000065000  the hardware is done with it, before it is handed over again [FS, CPU 0, gseq 6, '
says '0.000070000  it is handed to the ring again, with the hardware fence 50:2 [D, CPU 0, gseq 7, '
says '0.000072000  the hardware begins with it [B, CPU 0, gseq 8, '
says '0.000100000  the hardware is done with it [FS, CPU 0, gseq 9, '
says '0.000105000  its completion is visible to waiters [C, CPU 0, gseq 10, '
says '0.000108000  its completion is recorded once more, with the error -5 (Input/output error) [C, CPU 0, gseq 11, '
absent "a reset that went well is no failure" '^It failed|counts as failed'
check "one with an inferred begin" 0 '^again: job 5:2 ' "$grtrace" explain 5:2 again
says '0.000214000  it is handed to the ring, with the hardware fence 50:3 [D, CPU 0, gseq 14, '
says '0.000220000  inferred: the hardware can begin with it, because the ring has no job before it [D, CPU 0, gseq 15, '
says '0.000230000  the hardware is done with it [FS, CPU 0, gseq 16, '
absent "it was over when the last D came" 'fence 50:5'
check "a wide seqno" 0 '^run: job 5:4294967298 ' "$grtrace" explain 5:4294967298 run
[ "$(grep -c '^run: job' out)" = 1 ]
result $? "is one job"
# Records are missing before the first one, as in a flight recorder.
"${O:-$build}/workload" --seed 1 --stream --jobs 1000 --subbuf 4096 --overwrite 400 turned > workload.out 2>&1 ||
	cat workload.out
check "records that were overwritten before the first" 0 '^turned: job 5:' "$grtrace" explain 5:"$("$grparse" -q --csv --ctx 5 --type submit turned 2> err | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["seqno"] }')" turned
# A file that was cut behind a packet, or is gone: no jump of cseq shows it.
cp run.grtrace.0 gone.grtrace.0
check "a file that is gone" 0 'sequence numbers are in no file: a file is missing or was cut, so this may not be all' "$grtrace" explain 5:2 gone
absent "is no capture without a loss" 'No record was lost'
check "grparse: no filter" 2 'cannot be combined with filters' "$grparse" --explain 5:2 -w 1 run
check "nor a type" 2 'cannot be combined with filters' "$grparse" --explain 5:2 -a C run
check "not there" 1 'run: there is no job 5:5; the nearest of that context: 5:2, 5:7$' "$grtrace" explain 5:5 run
check "after all others" 1 'the nearest of that context: 5:4294967298$' "$grtrace" explain 5:5000000000 run
check "nor its context" 1 'there is no job 77:1, nor any other of that context$' "$grtrace" explain 77:1 run
check "in one of two captures" 0 '^two: job 5:2 ' "$grtrace" explain 5:2 two run
check "an error of its own" 0 'error: timeout, code -110 \[ER, CPU 1, gseq 18' "$grtrace" explain 5:2 two
says 'its interrupt came [IR, CPU 1, gseq 16, interrupt]'
check "a job without any end" 0 '^No record has its PICK, its COMMIT, its START, its END or its COMPLETE\.' \
	"$grtrace" explain 20:2 virtio
check "completed by a fence of its own" 0 '0\.000043000  its completion is visible to waiters \[FS, CPU 0, gseq 4' \
	"$grtrace" explain 20:1 virtio
# Each part of a job's time, the longest first, and together all of it.
python3 -B "$here/planted.py" hang 1 text && "$synth" text hang
check "what held it" 0 '^It took 587\.918 ms, 587\.003 ms \(100 %\) of that as job 200:1 of p20 \(20\) hung on ' \
	"$grtrace" explain 220:1 hang
says '                        200:1 <- 210:1 <- 211:1 <- 220:1'
awk '$2 == "%" && $4 ~ /s$/ { ns = $3 * ($4 == "ms" ? 1e6 : $4 == "us" ? 1e3 : 1)
	if ($5 == "Q" && $6 == "to") { whole = sum > ns - 1 && sum < ns + 1; exit }
	if (sum && ns > last) exit; last = ns; sum += ns }
	END { exit !whole }' out
result $? "sorted, and all of it"
stories 2 "--root: it, and then the root" --root 220:1 hang
check "the job that hung" 0 '^It took 590\.023 ms, 590\.000 ms \(100 %\) of that running on card0 video0, until its timeout: it hung\. Before that it waited 3\.000 us, longest 2\.000 us ' \
	"$grtrace" explain 200:1 hang
says ' 100.0 %  590.000 ms  it ran itself, until its timeout [B to its end]'
# A job that was found hanging had no timeout.
cat > found.txt << 'END'
cpu none
info start=0 real=1700000000000000000 cpus=1
cpu 0
ring id=1 class=1 device=card0 name=gfx
task pid=10 tgid=10 comm=app ts=1000
submit pid=10 ctx=5 ring=1 seqno=1 ts=1000000
pick ctx=5 ring=1 seqno=1 ts=1000000
commit ctx=5 ring=1 seqno=1 ts=1000000
submit pid=10 ctx=6 ring=1 seqno=1 ts=2000000
pick ctx=6 ring=1 seqno=1 ts=2000000
commit ctx=6 ring=1 seqno=1 ts=2000000
error ctx=5 ring=1 seqno=1 kind=2 code=-5 ts=60000000
end ctx=5 ring=1 seqno=1 ts=61000000
complete ctx=5 ring=1 seqno=1 arg=-5 ts=61000000
end ctx=6 ring=1 seqno=1 ts=62000000
complete ctx=6 ring=1 seqno=1 ts=62000000
END
"$synth" found.txt found
check "found hanging" 0 '^It took 60\.000 ms, 60\.000 ms \(100 %\) of that running on card0 gfx, until it was found hanging\.$' \
	"$grtrace" explain 5:1 found
says 'it ran itself, until it was found hanging [B to its end]'
check "who waited for it" 0 'job 5:1 of app \(10\) hung on card0 gfx \[B until it was found hanging\]$' \
	"$grtrace" explain 6:1 found
check "the report says it as well" 0 'ran 60\.0 ms on gfx, until it was found$' "$grtrace" report found
# Handed over again with no record of an error: no record says that it hung.
cp "$here/../captures/truth-resubmit-two/x.grtrace.0" twofold.grtrace.0
check "handed over again, no error recorded" 0 'gfx was reset and got 100:1 again \[D to D\]$' "$grtrace" explain 100:1 twofold
absent "is not said to have hung" 'hung'
# Handed over again after it hung: no record has a begin before that.
python3 -B "$here/planted.py" again 1 text && "$synth" text again
check "run again after a hang" 0 '^It took .* ms \(99 %\) of that as it hung on card0 render0 until it was handed over again\.$' \
	"$grtrace" explain 200:1 again
says '  99.3 %  443.000 ms  it hung on card0 render0 until it was handed over again [D to the last D]'
check "who waited for that" 0 'job 200:1 of p20 \(20\) hung on card0 render0 \[D to the last D\]$' \
	"$grtrace" explain 210:1 again
cat > turn.txt << 'END'
cpu 0
task pid=10 tgid=10 comm=app ts=1000
submit pid=10 ctx=5 ring=1 seqno=1 ts=10000
pick ctx=5 ring=1 seqno=1 ts=11000
commit ctx=5 ring=1 seqno=1 fence=50:1 ts=12000
submit pid=10 ctx=6 ring=1 seqno=1 ts=13000
pick ctx=6 ring=1 seqno=1 ts=14000
commit ctx=6 ring=1 seqno=1 fence=50:2 ts=15000
fence ctx=50 seqno=1 ts=30000
complete ctx=5 ring=1 seqno=1 ts=31000
error ctx=6 ring=1 seqno=1 kind=1 code=-62 ts=80000
commit ctx=6 ring=1 seqno=1 fence=51:1 ts=90000
fence ctx=51 seqno=1 ts=95000
complete ctx=6 ring=1 seqno=1 ts=96000
submit pid=10 ctx=5 ring=1 seqno=2 ts=200000
pick ctx=5 ring=1 seqno=2 ts=201000
commit ctx=5 ring=1 seqno=2 fence=52:1 ts=202000
submit pid=10 ctx=7 ring=1 seqno=1 ts=203000
pick ctx=7 ring=1 seqno=1 ts=204000
commit ctx=7 ring=1 seqno=1 fence=52:2 ts=205000
fence ctx=52 seqno=1 ts=210000
complete ctx=5 ring=1 seqno=2 ts=211000
fence ctx=52 seqno=2 ts=260000
complete ctx=7 ring=1 seqno=1 ts=261000
END
"$synth" turn.txt turn
check "it had its turn before" 0 '72\.3 %   60\.000 us  it hung on .* \[the previous END to the last D\]$' \
	"$grtrace" explain 6:1 turn
stories 1 "--root stops at one that itself ran longest" --root 7:1 turn
# The first sentence is about the first row, whatever the job.
python3 -B "$here/planted.py" mix 2 text && "$synth" text mix
cat > first.awk << 'AWK'
/^It (took|waited) / { sentence = $0; next }
sentence && $2 == "%" {
	rows++
	text = $0
	sub(/^ *[0-9.]+ % +[0-9.]+ [a-z]+ +/, "", text)
	sub(/ \[[^[]*\]$/, "", text)
	text = text ~ /^it ran itself/ ? "running on " : text ~ /^it had ended/ ? "after it had" : "as " text
	if (!index(sentence, ", " $3 " " $4 " (") || !index(sentence, " %) of that " text)) {
		print sentence "\n" $0
		bad++
	}
	sentence = ""
}
END { exit bad || rows < 60 }
AWK
for name in hang again mix; do
	"$grtrace" export --to csv --rows jobs "$name" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["ctx"] ":" $at["seqno"] }' > names
	while read -r job; do
		"$grtrace" explain "$job" "$name" < /dev/null
	done < names > stories
	check "$name: the first sentence is about the longest part" 0 '' awk -f first.awk stories
done
# A job whose pieces of time come apart counts once.
for file in "$here"/../captures/demo-7.3/*.xz; do
	base=${file##*/x}
	xz -dc "$file" > "game${base%.xz}"
done
check "jobs that ran before it, each once" 0 '^It took 3\.614 ms, 1\.208 ms \(33 %\) of that as 2 jobs of mockload \(180\) ran on .* copy0, longest 27:18 for 1\.168 ms\.$' \
	"$grtrace" explain 49:14 game
check "a hang that had waited" 0 '^It took 557\.412 ms, 521\.851 ms \(94 %\) of that running on .* compute0, until its timeout: it hung\. Before that it waited 35\.542 ms, longest 9\.034 ms ' \
	"$grtrace" explain 57:15 game
check "a chain that is too long" 0 '^ +0\.1 %  298\.768 us  a longer chain of jobs, or more at a time, than is followed$' \
	"$grtrace" explain 63:14 game
stories 1 "--root stops at a hang" --root 57:15 game
# Broken between words, at 80 columns or the terminal's.
"$grtrace" explain 57:15 game > long
tr -s ' \n' '  ' < long > want
for columns in '' 40 100; do
	COLUMNS=$columns "$grtrace" explain 57:15 game > lines
	# shellcheck disable=SC2016
	check "columns: ${columns:-not known}" 0 '' awk -v most="${columns:-80}" '
		length($0) > most && !/^ *\[[^]]*\]$/ { print; bad = 1 }
		length($0) > most - 20 { used = 1 }
		END { exit bad || !used }' lines
	tr -s ' \n' '  ' < lines > out
	same "nothing is lost" want out
done
COLUMNS=80 "$grtrace" explain 57:15 game > out
says '     0.469306663  mockload (thread 188 of process 186) submitted it'
says '                  [Q, CPU 1, gseq 4602, software]'
says '                        grtrace_mock.0 video0, longest 67:10 for 1.504 ms'
check "--root and stdin" 2 'reads the capture again' "$grtrace" explain --root 220:1 -
# grparse hands over what it was given.
mkdir in
cp run.grtrace.* in
"$grtrace" explain 5:2 run > want
check "grparse --explain runs the word" 0 '^run: job 5:2 ' "$grparse" --explain 5:2 run
same "and prints the same" want out
check "with its options" 3 '' "$grparse" -D in -b 5 -o story --strict --explain 5:2 -i run
same "and writes the same" want story
check "no name" 2 'name a job as ctx:seqno, such as 5:17; see --help$' "$grtrace" explain
mkdir none
check "no capture" 2 'name a capture; see --help: there is none in none' "$grtrace" explain -D none 5:2
touch two.grtrace.0
check "the newest capture" 0 '^two: job 5:2 ' "$grtrace" explain 5:2
check "bad name" 2 'wants a job as ctx:seqno' "$grtrace" explain 5 run
check "bad number" 2 'wants a job as ctx:seqno' "$grtrace" explain 5:x run
check "with a filter" 2 '--explain reads all' "$grparse" --explain 5:2 --ring gfx run
finish
