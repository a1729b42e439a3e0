#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The sentences of grtrace report about jobs.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

report()
{
	"$grtrace" report "$@"
}

"$synth" "$fixtures/two_cpus.txt" two
"$synth" "$fixtures/loss.txt" loss
"$synth" "$fixtures/virtio.txt" virtio

# CSV
check "header" 0 '^dev,ring,engine,ctx,seqno,pid,tgid,comm,submit_ts,commit_ts,start_ts,end_ts,complete_ts,t_submit_host,t_queue,t_exec,t_gpu_wait,t_complete,error,label,inferred,weight,slow,blocked_ts,pick_ts,dependencies,waits,lost,hand_overs,completes,last_commit_ts,t_reset,client,client_name,preempted,priority$' \
	report --csv - two
check "a job" 0 '^card0,gfx,render,5,1,697,690,glxgears,1003000,1008000,1008000,1062000,1063000,5000,5000,54000,56000,1000,0,ok,start,1,-,1005000,1007000,1,1,0,1,1,1008000,NA,NA,NA,NA,0$' \
	report --csv - two
check "a failed job" 0 ',-5,failed,start,1,-,' report --csv - two
check "NA for what is missing" 0 '^card1,sdma0,copy,5,1,1,NA,NA,2000,NA,NA,NA,NA,NA,NA,NA,NA,NA,0,incomplete,-,1,-,NA,NA,0,0,1,0,0,NA,NA,NA,NA,NA,0$' \
	report --csv - loss
check "a host's error" 0 '^virtio0,controlq,unknown,20,2,.*,4608,failed,-,1,-,' \
	report --csv - virtio
check "the out fence completes" 0 '^virtio0,controlq,unknown,20,1,50,50,Xwayland,11000,12000,12000,42000,43000,1000,1000,30000,NA,1000,0,ok,start,1,-,' \
	report --csv - virtio
check "one doorbell for two" 0 '^virtio0,controlq,unknown,20,4,50,50,Xwayland,55000,56050,76000,78000,NA,1050,21000,2000,NA,NA,0,ok,start,1,-,' \
	report --csv - virtio
check "taken before the doorbell" 0 '^virtio0,controlq,unknown,20,5,50,50,Xwayland,83000,NA,NA,85000,85010,NA,NA,NA,NA,10,0,ok,-,1,-,' \
	report --csv - virtio
check "no job of a late doorbell" 0 '^Jobs: 5 seen, 1 incomplete, 0 begun' report --full virtio
check "from doorbell to begin" 0 '^D2B .* 3 ' report --full virtio
report --csv jobs.csv two > tables 2> err
wc -l < jobs.csv | grep -qx 3
result $? "--csv FILE"
! report --csv - two 2> /dev/null | grep -q Records:
result $? "--csv - keeps the closing lines off stdout"
printf 'cpu 0\ntask pid=1 comm=a,b"c\nsubmit pid=1 ctx=1 ring=1 seqno=1\n' |
	"$synth" - quoted
check "quotes" 0 ',"a,b""c",' report --csv - quoted

check "header of rings" 0 '^by,id,name,jobs,failed,open,queue_avg,exec_avg,exec_sum,wait_sum,total_avg,total_max,touched$' \
	report --groups-csv - two
check "a line for each ring" 0 '^ring,1,card0 gfx,2,1,0,' report --groups-csv - two
check "NA where no job has it, and what loss touched" 0 '^ring,1,card1 sdma0,4,0,3,NA,NA,NA,0,1000,1000,1$' \
	report --groups-csv - loss
check "of processes and contexts" 0 '^process,690,glxgears,2,1,0,' \
	report --groups-csv - --per-process --per-ctx two
grep -q '^ctx,5,card0 gfx,2,' out && ! grep -q '^ring,' out
result $? "and no rings, as they were not asked for"
report --groups-csv groups.csv two > tables 2> err
[ "$(wc -l < groups.csv)" = 2 ] && grep -q Records: tables
result $? "--groups-csv FILE"

check "header of depths" 0 '^dev,ring,from_ns,to_ns,depth$' report --depth-csv - two
check "a line for each interval" 0 '^card0,gfx,1001000,[0-9]+,1$' report --depth-csv - two
[ "$(wc -l < out)" -gt 2 ] && [ "$(wc -l < out)" -le 129 ]
result $? "and not for each job"
report --depth-csv depth.csv two > tables 2> err
[ "$(wc -l < depth.csv)" -gt 2 ] && grep -q Records: tables && ! grep -q BUSY tables
result $? "--depth-csv FILE"
check "a share of Q2C" 0 '^Q2C .* 100\.0$' report --per-ring two
check "the share of a stage" 0 '^B2E .* [1-9][0-9.]+$' report --per-ring two
check "Q2Q" 0 '^card0 gfx +1 +' report --busy two

# Tables
check "rings by default" 0 'card0 gfx +2 +1 +0 ' report --full two
check "stages" 0 '^Q2C +60\.000 us +98\.500 us +137\.000 us +2 ' report --full two
check "btt's columns" 0 '^ALL +MIN +AVG +MAX +N +p50 +p90 +p99 +p99\.9 +%Q2C$' report --full two
check "top" 0 '^ 137\.000 us +53\.000 us +82\.000 us .*5:2 +failed$' report --full two
check "--topn" 0 '^Top 1 by total time' report --topn 1 two
check "--per-process" 0 '690 glxgears +2 ' report --per-process two
check "--per-ctx" 0 ' 5 card0 gfx +2 ' report --per-ctx two
check "--hist" 0 '^ +32 +64 +1 +50\.0  #{36}$' report --hist lat two
[ "$(grep -c '^ *[0-9][0-9]* *[0-9][0-9]* *[0-9]* *[0-9.]*\(  #*\)*$' out)" -ge 12 ]
result $? "at least 12 rows"
check "--hist exec" 0 'START to END' report --hist exec two
check "--hist queue" 0 '^ +4 +8 +1 +50\.0  #+$' report --hist queue two
check "--hist size" 0 '^ +1 +2 +2 100\.0  #+$' report --hist size two
check "no size of a command" 0 '^ +NA +NA +5$' report --hist size virtio
check "--hist result" 0 '^-EIO +1 +50\.0  #+$' report --hist result two
check "and its errors" 0 '^host +1 +20\.0  #+$' report --hist result virtio
check "several" 0 'Histogram: how jobs ended' report --hist lat --hist result two
grep -q 'Histogram: SUBMIT to COMPLETE' out
result $? "the other one, too"
check "as wide as COLUMNS" 0 '^ +32 +64 +1 +50\.0  #{16}$' \
	env COLUMNS=60 "$grtrace" report --hist lat two
check "blocks in UTF-8" 0 '^ok +1 +50\.0  ██.*█$' \
	env LC_ALL=C.UTF-8 "$grtrace" report --hist result two

# The causes of waits
check "top of each label" 0 '^ +82\.000 us exec +59\.9 +137\.000 us .* 5:2 +timeout, -EIO$' \
	report --topn 1 two
check "none of the others" 0 '^no job: blocked by a dependency, long queue, ' \
	report --topn 1 two
check "who blocked it" 0 '^ +2\.000 us blocked +3\.3 .* 5:1 +by 4:9$' \
	report --topn 1 --blocked-us 1 --share 3 two
check "where the host was slow" 0 ' I2D 1\.000 us, E2C 1\.000 us$' \
	report --topn 1 --host-us 1 --share 3 two

# Each threshold, and the share, from both sides
check "--slow-exec-us" 0 '^Labels: 1 failed, 1 slow execution$' report --full --slow-exec-us 53 two
check "is not reached" 0 '^Labels: 1 ok, 1 failed$' report --full --slow-exec-us 54 two
check "--blocked-us" 0 '^Labels: 1 failed, 1 blocked by a dependency$' \
	report --full --blocked-us 1 --share 3 two
check "is not reached" 0 '^Labels: 1 ok, 1 failed$' report --full --blocked-us 2 --share 3 two
check "--share" 0 '^Labels: 1 ok, 1 failed$' report --full --blocked-us 1 --share 4 two
check "--long-queue-us" 0 '^Labels: 1 failed, 1 long queue$' \
	report --full --long-queue-us 4 --share 8 two
check "is not reached" 0 '^Labels: 1 ok, 1 failed$' report --full --long-queue-us 5 --share 8 two
check "--host-us" 0 '^Labels: 1 failed, 1 host-bound$' report --full --host-us 1 --share 3 two
check "is not reached" 0 '^Labels: 1 ok, 1 failed$' report --full --host-us 2 --share 3 two
check "an interval" 0 'Jobs: 1 seen' report --full -w 0.0000085 two
absent "that is not over" 'the chosen interval'
for what in lat queue exec size result; do
	check "--hist $what in a narrow terminal" 0 '^Histogram: ' env COLUMNS=40 "$grtrace" report --hist $what two
done
check "--share" 2 '--share wants a percentage from 0 to 100, not "101"' report --full --share 101 two
check "--proofs alone of tables" 0 'Who delayed whom' report --per-ring --proofs 2 two
check "one that is over" 2 '^grtrace report: nothing was recorded from 5\.000 s on: two covers 3\.000 us to 148\.000 us; choose' \
	report --full --since 5 two
[ ! -s out ]
code=$?
result $code "there is no empty screen"
"$synth" "$fixtures/two_gpus.txt" gpus
on err check "one of two captures is over" 0 '^grtrace report: two: ends [0-9.]+ us after its start, before the chosen interval begins' \
	report -w 0.002:0.003 two gpus

# Busy and idle
check "busy and idle" 0 '^card0 gfx +92\.52 +136\.000 us +0 ns +3\.000 us +0 ns +2\.000 us +6\.000 us +0 ns$' \
	report --busy two
check "a device" 0 '^card0 +92\.52 +136\.000 us$' report --busy two
check "queue depth" 0 '^card0 gfx +1\.320 +2 +1\.265 +2 +[|].*[|]$' report --busy two
check "a gap, its cause, and who ended it" 0 '^ +5\.000 us +7\.000 us +1\.000 us +card0 gfx +scheduler +42\.9% +5:1 of glxgears$' \
	report --busy two
check "after a loss nothing is known" 0 '^card1 sdma0 +NA +NA .* 4\.000 us \*$' report --busy loss
check "--gaps" 0 '^The idle gap that held' report --gaps 1 two
check "a bad number of gaps" 2 'not "many"' report --gaps many two
printf 'cpu 0\ninfo start=0\nring id=1 class=1 device=card0 driver=mock name=a\nring id=2 class=1 device=card0 driver=mock name=b\ntask pid=1 tgid=1 comm=one\ntask pid=2 tgid=2 comm=two\ntask pid=3 tgid=2 comm=three\nsubmit pid=1 ctx=1 ring=1 seqno=1 ts=1000\ncommit ctx=1 ring=1 seqno=1 fence=9:1 ts=1000\nsubmit pid=2 ctx=2 ring=2 seqno=1 ts=1000\nblocked ctx=2 ring=2 seqno=1 fence=1:1 ts=1000\ncomplete ctx=1 ring=1 seqno=1 ts=5000\npick ctx=2 ring=2 seqno=1 ts=6000\ncommit ctx=2 ring=2 seqno=1 fence=9:2 ts=6000\nsubmit pid=3 ctx=3 ring=1 seqno=1 ts=6000\nblocked ctx=3 ring=1 seqno=1 fence=2:1 ts=6000\ncomplete ctx=2 ring=2 seqno=1 ts=8000\npick ctx=3 ring=1 seqno=1 ts=8000\ncomplete ctx=3 ring=1 seqno=1 ts=9000\n' |
	"$synth" - two_rings
check "idle for another process" 0 '^card0 b +25\.00 +2\.000 us +0 ns +0 ns +5\.000 us +0 ns +1\.000 us ' report --busy two_rings
check "idle for a job of its own" 0 '^card0 a +50\.00 +4\.000 us +0 ns +1\.000 us +0 ns +2\.000 us +1\.000 us ' report --busy two_rings
check "a ring that tells only SUBMIT and END" 0 '^virtio0 controlq +69\.31 ' report --busy virtio
check "a device is busy with any ring" 0 '^card0 +75\.00 +6\.000 us' report --busy two_rings

# The end of every report
check "records" 0 '^Records: 20 read in 3 packets' report --full two
check "no loss" 0 '^Lost: 0 records$' report --full two
check "loss and where" 0 'CPU 0, .*: 4 records, there was no room' report --full loss
check "overwritten" 0 'CPU 1, .*: 1,000 records, overwritten' report --full loss
check "incomplete" 0 '^Jobs: 4 seen, 3 incomplete' report --full loss
check "inferred" 0 '^Inferred: timestamps of 2 jobs' report --full two
check "what a stage is, below its tables" 0 '^Stages: Q2I SUBMIT to PICK, .* D2B to START,$' report --per-ring two
check "and nowhere else" 1 '' sh -c "$grtrace report --topn 1 two | grep '^Stages: '"
check "coverage" 0 '^Coverage: drm_sched, dma_fence$' report --full two
check "its limit" 0 'user-mode queues are not seen' report --full two
printf 'cpu none\nmeta recorder tracefs\nmeta source dma_fence 2 5\nmeta untold results hardware_fences\ncpu 0\nmessage a\n' |
	"$synth" - traced
check "recorded without the module" 0 \
	'^  recorded from tracefs, without events for: results, hardware fences$' \
	report --full traced
printf 'cpu none\nmeta source dma_fence 5 5\nmeta rings_full 1234\ncpu 0\nmessage a\n' |
	"$synth" - crowd
check "a table of rings that was full" 0 '^  1,234 times the kernel.s table had no room for a ring: those events have no ring' report --full crowd
printf '%s\n' 'cpu none' 'meta device card0 pci 1af4:1050' 'meta device x.gpu of arm,mali-t860' \
	'ring id=1 class=1 device=card0 driver=mock name=gfx' 'cpu 0' 'submit ctx=5 ring=1 seqno=1' |
	"$synth" - models
check "the model of the only GPU" 0 ', 1 GPU 1af4:1050, 1 ring, ' report models
check "and of one without rings" 0 '^Device x\.gpu: of arm,mali-t860$' report --full models
"$grparse" -q -d models_again models > /dev/null
check "and grparse writes it again" 0 '^Device card0: pci 1af4:1050$' report --full models_again
"$grparse" -q -d traced_again traced > /dev/null
check "and so is what grparse writes again" 0 \
	'^  recorded from tracefs, without events for: results, hardware fences$' \
	report --full traced_again

# Sampling, slow jobs, a snapshot
"$synth" "$fixtures/sampling.txt" sampled
check "sampled" 0 '^Sampled 1/1 to 1/4, 2 changes: totals are estimates$' report --full sampled
check "jobs are weighted" 0 '^Jobs: 12 seen, 1 incomplete, 0 begun before the capture, 6 cut by a change of sampling$' \
	report --full sampled
check "so are stages" 0 '^B2E +1\.000 us +40\.800 us +200\.000 us +5 ' report --full sampled
check "a job's weight, and that it was slow" 0 '^card0,gfx,render,5,4,.*,start,4,queue\+exec,' \
	report --csv - sampled
check "slow jobs" 0 '^Marked as slow: 5 in the queue, 5 in execution$' report --full sampled
check "loss by reason" 0 '^  of the events: 5 no room, 5 rate limit, 1 backpressure$' report --full sampled
check "and by place" 0 'CPU 1, .*: 10 records, 4 no room, 5 rate limit, 1 backpressure$' report --full sampled
on err check "the rate limit's share" 0 '^5 of them were refused by the rate limit' report --full sampled
check "a snapshot" 0 '^Snapshot: taken at 0\.000899000 \(slow_exec\)$' report --full sampled
check "its clock" 0 '^Clock: boot$' report --full sampled
report --full two > tables 2> err
! grep -Eq 'Sampled|cut by|Marked|Snapshot|Clock' tables
result $? "none of it where all jobs are recorded"

# Jobs that one could get wrong
"$synth" "$fixtures/odd.txt" odd
check "out of order" 0 '^card0,gfx,render,5,1,.*,2000,NA,2100,3100,3200,NA,100,1000,NA,100,0,ok,-,1,-,' \
	report --csv - odd
check "the other of one model" 0 '^card1,gfx,render,5,1,.*,2000,NA,2200,2700,2800,NA,200,500,NA,100,0,ok,-,1,-,' \
	report --csv - odd
check "the same numbers again" 0 '^card1,gfx,render,5,1,.*,4000,NA,4100,4400,4500,NA,100,300,NA,100,0,ok,-,1,-,' \
	report --csv - odd
check "a seqno beyond 32 bits" 0 '^card0,gfx,render,6,4294967297,.*,5200,NA,5300,5900,6000,NA,100,600,NA,100,0,ok,-,1,-,' \
	report --csv - odd
check "begun before the capture" 0 '^card0,gfx,render,4,77,NA,NA,NA,NA,NA,NA,1500,1600,NA,NA,NA,NA,100,0,ok,-,1,-,' \
	report --csv - odd
check "never ended" 0 '^card0,gfx,render,7,1,.*,6000,NA,6100,NA,NA,NA,100,NA,NA,NA,0,incomplete,-,1,-,' \
	report --csv - odd
check "all of them counted" 0 '^Jobs: 8 seen, 1 incomplete, 1 begun before the capture$' report --full odd
check "by device" 0 ' card1 +2 +0 +0 ' report --per-device odd

# Wrong input and usage
check "no such capture" 1 'nope: no such capture' report nope
check "no capture" 1 'not a grtrace capture' report /bin/sh
mkdir none
check "nothing named" 2 'name a capture; see --help: there is none in none' report -D none
touch two.grtrace.0
on err check "the newest capture here" 0 'two is the newest capture here' report
contains()
{
	grep -Eq -- "$2" out
	result $? "$1"
}

# A pipe or a file on stdin is read as -, and never instead of a name.
cat two.grtrace.* | "$grtrace" report > out 2> err
result $? "a pipe, and no name"
cat err >> out
contains "says what is read" 'two is the newest capture here; name - to read standard input$'
"$grtrace" report < two.grtrace.0 > out 2>&1
contains "a file likewise" 'newest capture here; name - to read standard input$'
"$grtrace" report < /dev/null > out 2>&1
contains "nothing there" 'newest capture here$'
(cd none && "$grtrace" report < ../two.grtrace.0) > out 2>&1
contains "no capture but that" 'there is none in this folder; name - to read standard input$'
# As many events as that, of the interval.
check "--limit" 0 '^Stopped after 5 events \(--limit\): what comes later was not read\.$' report --limit 5 two
contains "some jobs" ', [1-9] jobs?, '
check "--limit above all" 0 'jobs?' report --limit 100000 two
absent "is not said" Stopped
check "--limit: the tables say so as well" 0 '^Stopped after 5 events' report --limit 5 --per-ring two
check "--limit: of the interval" 0 '^Stopped after 2 events' report --limit 2 --since 15us two
check "--limit 0" 2 '--limit wants a number' report --limit 0 two
check "bad number" 2 '--host-us wants microseconds' report --full --host-us x two
for option in --long-queue-us --blocked-us --slow-exec-us; do
	check "bad $option" 2 "$option wants microseconds" report "$option" -1 two
done
check "bad --topn" 2 '--topn wants' report --topn 0 two
check "bad --hist" 2 '--hist knows' report --hist all two
check "unknown option" 2 'unknown option' report --zap two
check "disk full" 1 'cannot write' report -o /dev/full two
check "disk full under --csv" 1 'cannot write' report --csv /dev/full two
check "--strict" 3 '' report --full --strict loss
check "--help" 0 '--slow-exec-us' report --help
check "--help explains labels" 0 'Labels, the first that fits' report --help

head -c 300 two.grtrace.1 > cut.grtrace.0
on out check "a cut capture is still reported" 1 'Jobs: [1-9]' report --full cut

# Long names (of another machine's rings) move no figure out of its column.
sed 's/name=gfx$/name=gfx_of_a_name_that_is_long/' "$fixtures/two_gpus.txt" > long.txt
"$synth" long.txt long
aligned() # TITLE HEADING: in the table with that title, all end where HEADING does
{
	"$grtrace" report --full long | awk -v title="$1" -v heading="$2" '
		index($0, title) && index($0, heading) {
			end = index($0, heading) + length(heading)
			next
		}
		end && NF == 0 { exit }
		end { rows++; bad += substr($0, end - 1, 2) !~ /^[0-9A] ?$/ }
		END { exit !(rows > 1 && !bad) }'
}
aligned 'RING NAME' FAILED
result $? "rings with long names are in columns"
aligned 'BUSY AND IDLE' 'BUSY %'
result $? "their busy times are in columns"
aligned 'QUEUE DEPTH' MAX
result $? "their depths are in columns"

# Tables on a narrow terminal
for columns in 132 100 80 60; do
	"$grtrace" report --width "$columns" --full --per-process gpus > out 2> err
	awk -v columns=$columns 'length($0) > columns' out > wide
	code=$?
	[ ! -s wide ] && grep -q '^Labels: ' out
	result $? "tables of $columns columns"
done
"$grtrace" report --width 100 --per-ring gpus > out 2> err
grep -q '^RING NAME .* TOTAL avg  *TOTAL max$' out
code=$?
result $code "the table of rings has one line for each in 100 columns"
COLUMNS=100 "$grtrace" report --per-ring gpus > wide
grep -q '.\{101\}' wide
result $? "wider ones without a terminal, whatever COLUMNS is"
"$grtrace" report --width 100 --per-ring gpus > out 2> err
[ "$(tr -s ' \n' ' ' < out)" = "$(tr -s ' \n' ' ' < wide)" ]
code=$?
result $code "nothing is left out"

finish
