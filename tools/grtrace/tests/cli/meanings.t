#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The name, the unit and the value of each number: of stages.txt, each of whose times is
# another, and of spread.awk, each of whose percentiles is.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$synth" "$fixtures/stages.txt" stages
awk -f "$fixtures/spread.awk" | "$synth" - spread

# turned NAME TABLE COMMAND...: the columns that it prints are those of the table, which may
# have more columns of its own; -ROW before the command is for lines of JSON.
turned()
{
	turned_name=$1 turned_table=$2 turned_row=
	shift 2
	case $1 in -*) turned_row=${1#-}; shift ;; esac
	run "$@"
	# shellcheck disable=SC2086
	python3 -B "$here/turned.py" $turned_row < out > is 2>> err
	diff "$turned_table" is > out 2>&1
	result $? "$turned_name"
}

# lines NAME COMMAND... < LINES: it prints these lines, in this order; others may be between.
lines()
{
	lines_name=$1
	shift
	cat > wanted
	"$@" > printed 2> err < /dev/null
	code=$?
	awk 'NR == FNR { want[++n] = $0; next }
		at < n && $0 == want[at + 1] { at++ }
		END { if (at < n) print "is not there: " want[at + 1]; exit at < n || !n }' wanted printed > out
	result $? "$lines_name"
}

# ------------------------------------------------------------------ columns for programs

# name, unit, first job, second job
cat > jobs.table << 'TABLE'
dev - card0 card1
ring - gfx copy
engine - render copy
ctx - 5 6
seqno - 1 3
pid - 101 200
tgid - 100 200
comm - game browser
submit_ts ns 1010000 2000000
commit_ts ns 1020000 12000000
start_ts ns 1040000 23000000
end_ts ns 1057000 40000000
complete_ts ns 1080000 63000000
t_submit_host ns 10000 10000000
t_queue ns 30000 21000000
t_exec ns 17000 17000000
t_gpu_wait ns 62000 NA
t_complete ns 23000 23000000
error - 0 -110
label - ok failed
inferred - - -
weight - 1 1
slow - - -
blocked_ts ns 1011000 NA
pick_ts ns 1014000 6000000
dependencies - 1 0
waits - 1 0
lost - 0 0
hand_overs - 2 1
completes - 1 1
last_commit_ts ns 1029000 12000000
t_reset ns 9000 NA
client - NA NA
client_name - NA NA
preempted - NA NA
priority - 0 2
TABLE
cut -d' ' -f1,3- jobs.table > cells
turned "jobs of report" cells "$grtrace" report --csv - stages
turned "jobs of export, CSV" cells "$grtrace" export --to csv --rows jobs stages
{ echo capture stages stages; cat cells; } > named
turned "jobs of export, JSON" named -job "$grtrace" export --to json stages
"$grtrace" export --to sqlite -o stages.db stages
check "jobs of export, SQLite" 0 '' sqlite3 -csv -header -nullvalue NA stages.db \
	"SELECT $(cut -d' ' -f1 cells | paste -sd,) FROM job_row ORDER BY submit_ts"
python3 -B "$here/turned.py" < out > is
same "are the same" is cells
{
	printf '%s\n' 'host - -' 'boot - -' 'session 24301 24301' 'release 7.3.4 7.3.4' \
		'capture_start 1700000000000000000 1700000000000000000' 'tool VERSION VERSION' 'tags {} {}' named
	cat named
	printf '%s\n' 'ring_id 1 2' 'submit_wall 1700000000000010000 1700000000001000000' \
		'commit_wall 1700000000000020000 1700000000011000000' \
		'start_wall 1700000000000040000 1700000000022000000' \
		'end_wall 1700000000000057000 1700000000039000000' \
		'complete_wall 1700000000000080000 1700000000062000000' 'blocked_wall 1700000000000011000 NA' \
		'pick_wall 1700000000000014000 1700000000005000000' \
		'last_commit_wall 1700000000000029000 1700000000011000000'
} | sed "/^named$/d; s/VERSION/$("$grtrace" --version | sed 's/[^ ]* \([^ ]*\).*/\1/')/g; s/^client_name NA NA/client_name - -/" > fleet
turned "jobs of a fleet" fleet "$grtrace" export --to csv --fleet stages
cat > captures << 'TABLE'
clock - mono
start_ts ns 1000000
jobs - 2
records - 20
events - 18
lost_events - 0
lost_notes - 0
missing - 0
skipped - 0
damaged_bytes - 0
TABLE
{ head -8 fleet | cut -d' ' -f1,2; cut -d' ' -f1,3 captures; } > captures.cells
turned "captures of a fleet" captures.cells "$grtrace" export --to csv --fleet --rows captures stages

# Losses and failures, each in another number.
"$synth" - bad << 'FIXTURE'
cpu none
info start=1000 real=1700000000000000000
ring id=3 class=1 device=card0 driver=mock name=gfx
cpu 1
task pid=71 tgid=70 comm=game ts=2000
submit pid=71 ctx=5 ring=3 seqno=6 ts=3000
lost events=13 notes=14 first=6500 last=6900
unknown type=20 size=48
unknown type=21 size=48
overwritten 5
packet
complete ctx=5 ring=3 seqno=6 ts=8000
raw 01 00 04 00 00 00 00 00
FIXTURE
printf '%s\n' 'records 5' 'events 4' 'lost_events 13' 'lost_notes 14' 'missing 5' 'skipped 2' 'damaged_bytes 8' > counts
"$grtrace" export --to csv --fleet --rows captures bad > rows 2> err
python3 -B "$here/turned.py" < rows | sed -n '/^records/,$p' > is
same "losses and damage of a fleet" is counts
sed -i /^events/d counts
"$grtrace" export --to json bad 2> err | tail -n 1 > row
python3 -B "$here/turned.py" end < row | sed -n '/^records/,$p' > is
same "in JSON" is counts
"$grtrace" export --to sqlite -o bad.db bad 2> err
sqlite3 -csv -header bad.db 'SELECT records, lost_events, lost_notes, missing, skipped, damaged_bytes FROM capture' > rows
python3 -B "$here/turned.py" < rows > is
same "in SQLite" is counts
for word in grparse "grtrace report --full" "grtrace verify"; do
	# shellcheck disable=SC2086
	lines "in words: $word" "$build"/$word bad << 'LINES'
Records: 5 read in 3 packets, 736 bytes
Lost: 32 records in 2 places; reported lost: 13 events, 14 notes
Skipped: 2 records of unknown type, 0 unknown tails, 8 damaged bytes in 1 places
LINES
done

# units NAME TABLE ROWS: the schema has the columns of the table with its units
units()
{
	run "$grtrace" export --schema json --rows "$3"
	python3 -B -c 'import json, sys
for column in json.load(sys.stdin)["columns"]:
    print(column["name"], column["unit"] or "-")' < out > all 2>> err
	cut -d' ' -f1,2 "$2" > wanted
	grep -Fxf wanted all > out
	cmp -s wanted out
	result $? "$1"
}
units "units of jobs" jobs.table jobs
units "units of captures" captures captures
printf '%s_wall ns\n' submit commit start end complete blocked pick last_commit > walls
units "units of wall clocks" walls jobs
run "$grtrace" report --help
sed -n '/^Columns of --csv/,/^An id/p' out | awk '/^  / { print $1 }' > is
cut -d' ' -f1 jobs.table > wanted
same "the help of report names the columns of jobs" is wanted
sed -n '/^Columns of --csv/,/^An id/p' out | sed -n 's/^  \([a-z_]*\) .*, ns$/\1/p' > is
awk '$2 == "ns" { print $1 }' jobs.table > wanted
same "and their units" is wanted
for form in duckdb clickhouse; do
	run "$grtrace" export --schema $form
	sed -n 's/^    [^a-z]\([a-z_]*\)[^a-z] .*[^n][^s], ns[,'"'"']*$/\1/p' out | grep -Fxf wanted > is
	same "units of jobs, once each, for $form" is wanted
done

cat > groups << 'TABLE'
by ring ring process process
id 2 1 200 100
name card1_copy card0_gfx browser game
jobs 1 1 1 1
failed 1 0 1 0
open 0 0 0 0
queue_avg 21000000 30000 21000000 30000
exec_avg 17000000 17000 17000000 17000
exec_sum 17000000 17000 17000000 17000
wait_sum 0 62000 0 62000
total_avg 61000000 70000 61000000 70000
total_max 61000000 70000 61000000 70000
touched 0 0 0 0
TABLE
turned "groups of jobs" groups "$grtrace" report -o /dev/null --groups-csv - --per-ring --per-process stages
cat > sums << 'TABLE'
by ring
id 1
name card0_gfx
jobs 1000
failed 0
open 0
queue_avg 250
exec_avg 15775
exec_sum 15775000
wait_sum 0
total_avg 16525
total_max 160750
touched 0
TABLE
turned "sum, average and greatest of a group" sums "$grtrace" report -o /dev/null --groups-csv - --per-ring spread
cat > delays << 'TABLE'
dev card0 card0 card1
ring gfx gfx copy
victim_tgid 100 100 200
victim game game browser
kind nobody unknown nobody
culprit_tgid NA NA NA
culprit NA NA NA
ns 27000 3000 21000000
jobs 1 1 1
touched 0 0 0
ctx 5 5 6
seqno 1 1 3
submit_ts 1010000 1010000 2000000
wait 30000 30000 21000000
part 27000 3000 21000000
culprit_ctx NA 4 NA
culprit_seqno NA 9 NA
how NA blocked NA
TABLE
turned "delays" delays "$grtrace" report -o /dev/null --delays-csv - stages
lines "depths" "$grtrace" report -o /dev/null --depth-csv - stages << 'LINES'
dev,ring,from_ns,to_ns,depth
LINES
awk -F, '$1 == "card1" && $5 == 1 { if (!from) from = $3; to = $4 }
	END { exit !(from > 1400000 && from <= 2000000 && to >= 40000000 && to < 40600000) }' printed
result $? "a job is in its depth from SUBMIT to END, in ns"

# ------------------------------------------------------------------------------- findings

cat > waiting << 'TABLE'
schema 1
capture stages
waited_ns 21030000
jobs 2
never_began 0
unknown 0
rest_ns 30000
woken_ns 0
cpus_without_end -
TABLE
turned "what was waited" waiting -waiting "$grtrace" report -o /dev/null --json - stages
cat > findings << 'TABLE'
rank 1 2 3
kind hardware driver scheduler
ns 11000000 6000000 4000000
percent 52.306 28.531 19.02
jobs 1 1 1
rings 1 1 1
ring card1_copy card1_copy card1_copy
tgid NA NA NA
comm NA NA NA
from_ts 12000000 6000000 2000000
to_ts 23000000 12000000 6000000
root 6:3 6:3 6:3
root_ns 11000000 6000000 4000000
chain 6:3 6:3 6:3
title Ring_was_idle Driver Scheduler
TABLE
"$grtrace" report -o /dev/null --json - stages 2> err | sed 's/,"text":.*/}/' > lines
turned "findings" findings -finding cat lines
printf '%s\n' 'kind scheduler driver hardware reset fence' 'ns 1000 6000 11000 9000 3000' > rest
turned "the rest" rest -rest cat lines

lines "the first screen" "$grtrace" report stages << 'LINES'
stages: 62.0 ms, Linux 7.3.4, 2 GPUs, 2 rings, 2 jobs (1 failed), nothing lost
WHY JOBS WERE LATE    2 jobs waited 21.0 ms from SUBMIT to START:
   52 % of waiting
   29 % of waiting
   19 % of waiting     records do not say why: no credits, a stopped queue, or a
The rest, 30.0 us (0.1 %), has causes of less than 1 % or 1.00 ms each, or of
less than 100 us for a job.
6:3 of browser (200) began at 0.0220 s and ran 17.0 ms on copy, until its
LINES

# --------------------------------------------------------------------- tables for people

lines "rings, stages, busy and idle, depths, gaps, the longest jobs" "$grtrace" report --full stages << 'LINES'
      RING NAME                          JOBS  FAILED    OPEN   QUEUE avg    EXEC avg    EXEC sum    WAIT sum   TOTAL avg   TOTAL max
         2 card1 copy                       1       1       0   21.000 ms   17.000 ms   17.000 ms        0 ns   61.000 ms   61.000 ms
         1 card0 gfx                        1       0       0   30.000 us   17.000 us   17.000 us   62.000 us   70.000 us   70.000 us
Q2I     4.000 us    4.000 us    4.000 us         1    4.000 us    4.000 us    4.000 us    4.000 us    5.7
I2D     6.000 us    6.000 us    6.000 us         1    6.000 us    6.000 us    6.000 us    6.000 us    8.6
RESET   9.000 us    9.000 us    9.000 us         1    9.000 us    9.000 us    9.000 us    9.000 us   12.9
D2B    11.000 us   11.000 us   11.000 us         1   11.000 us   11.000 us   11.000 us   11.000 us   15.7
B2E    17.000 us   17.000 us   17.000 us         1   17.000 us   17.000 us   17.000 us   17.000 us   24.3
E2C    23.000 us   23.000 us   23.000 us         1   23.000 us   23.000 us   23.000 us   23.000 us   32.9
Q2C    70.000 us   70.000 us   70.000 us         1   70.000 us   70.000 us   70.000 us   70.000 us  100.0
C2W    29.000 us   29.000 us   29.000 us         1   29.000 us   29.000 us   29.000 us   29.000 us
BUSY AND IDLE             BUSY %        BUSY        HOST   SCHEDULER  OTHER PROC      DEPEND     NO WORK   NOT KNOWN
card0 gfx                   0.03   17.000 us   20.000 us    7.000 us        0 ns    3.000 us   61.952 ms        0 ns
card1 copy                 27.42   17.000 ms   11.000 ms   10.000 ms        0 ns        0 ns   23.999 ms        0 ns
DEVICE                    BUSY %        BUSY  any of its rings
card1                      27.42   17.000 ms
QUEUE DEPTH                    AVG     MAX    HW AVG  HW MAX  greatest depth over time
card1 copy                   0.613       1     0.452       1  |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@                      |
    HELD UP        IDLE          AT  RING                     CAUSE                       SHARE  ENDED BY
  21.000 ms   21.999 ms    1.000 us  card1 copy               waiting for the host        50.0%  6:3 of browser
  30.000 us   39.000 us    1.000 us  card0 gfx                waiting for the host        51.3%  5:1 of game
      TOTAL       QUEUE        EXEC        WAIT          AT  RING         COMM             CTX:SEQNO       LABEL
  61.000 ms   21.000 ms   17.000 ms          NA    1.000 ms  copy         browser          6:3             failed
  70.000 us   30.000 us   17.000 us   62.000 us   10.000 us  gfx          game             5:1             ok
     BLAMED PART        %       TOTAL          AT  RING         COMM             CTX:SEQNO       WHAT
  29.000 ms host     47.5   61.000 ms    1.000 ms  copy         browser          6:3             timeout, -ETIMEDOUT
Records: 20 read in 3 packets, 1,440 bytes
Cost: 72.0 bytes of capture per record
LINES
lines "a group of many jobs; MIN, AVG, MAX, N and percentiles" "$grtrace" report --per-ring --busy --hist exec spread << 'LINES'
         1 card0 gfx                     1000       0       0      250 ns   15.775 us   15.775 ms        0 ns   16.525 us  160.750 us
ALL          MIN         AVG         MAX         N         p50         p90         p99       p99.9   %Q2C
B2E     5.000 us   15.775 us  160.000 us      1000   10.239 us   20.479 us   40.959 us   81.919 us   95.5
card0 gfx                  94.03   15.775 ms        0 ns  250.000 us        0 ns        0 ns  750.750 us        0 ns
Q2Q, SUBMIT TO SUBMIT            N         MIN         AVG         MAX         p50         p90         p99       p99.9
card0 gfx                      999    6.000 us   16.631 us   81.000 us   11.007 us   21.503 us   41.983 us   81.000 us
Histogram: START to END
     from us        below       jobs     %
           4            8          1   0.1  #
           8           16        549  54.9  ####################################
          16           32        400  40.0  ##########################
          32           64         45   4.5  ###
          64          128          4   0.4  #
         128          256          1   0.1  #
LINES
lines "histograms by what they count" "$grtrace" report --hist lat --hist queue --hist size --hist result stages << 'LINES'
Histogram: SUBMIT to COMPLETE
          64          128          1  50.0  ####################################
       32768        65536          1  50.0  ####################################
Histogram: SUBMIT to START
          16           32          1  50.0  ####################################
       16384        32768          1  50.0  ####################################
Histogram: size of jobs in credits, as the driver counts them
           1            2          1  50.0  ####################################
           2            4          1  50.0  ####################################
Histogram: how jobs ended
ok                                 1  50.0  ####################################
-EIO                               1  50.0  ####################################
timeout                            1  50.0  ####################################
LINES
while read -r option title id who; do
	check "--per-$option: its title" 0 "^ +$title (NAME|RING|COMM) +JOBS +FAILED +OPEN +QUEUE avg" \
		"$grtrace" report "--per-$option" stages
	grep -qE "^ +$id $who +1 +0 +0 +30\.000 us +17\.000 us +17\.000 us +62\.000 us +70\.000 us +70\.000 us$" out
	result $? "--per-$option: its numbers"
done << 'GROUPS'
ring RING 1 card0 gfx
device DEVICE 0 card0
engine CLASS 1 render
ctx CTX 5 card0 gfx
process PID 100 game
GROUPS
lines "the same in a narrow terminal" "$grtrace" report --width 45 --busy --per-ring stages << 'LINES'
RING NAME        JOBS  FAILED  OPEN
    QUEUE avg   EXEC avg   EXEC sum
   2 card1 copy     1       1     0
    21.000 ms  17.000 ms  17.000 ms
   1 card0 gfx      1       0     0
    30.000 us  17.000 us  17.000 us
BUSY AND IDLE  BUSY %       BUSY       HOST
    SCHEDULER  OTHER PROC    DEPEND
      NO WORK  NOT KNOWN
card0 gfx        0.03  17.000 us  20.000 us
     7.000 us        0 ns  3.000 us
    61.952 ms       0 ns
card1 copy      27.42  17.000 ms  11.000 ms
    10.000 ms        0 ns      0 ns
    23.999 ms       0 ns
  HELD UP       IDLE        AT  RING
    CAUSE                 SHARE
    ENDED BY
21.000 ms  21.999 ms  1.000 us  card1 copy
    waiting for the host  50.0%
    6:3 of browser
LINES
# The promise of a percentile's help.
for word in report timeline; do
	check "$word: how exact a percentile is" 0 'at$' "$grtrace" "$word" --help
	tr '\n' ' ' < out | grep -q 'at  *most 3 % too high'
	result $? "$word: at most 3 % too high, as above"
done

lines "the times of steps, each from the one it follows" "$grparse" -q -t stages << 'LINES'
  0,1    0        4     0.000011000    12 UN   G gfx 5:1 <- 4:9 (1.000)
  0,1    0        5     0.000014000    12  I   G gfx 5:1 + 1 (4.000)
  0,1    0        6     0.000020000    12  D   G gfx 5:1 -> 50:1 (6.000)
  0,1    0        7     0.000029000    12  D   G gfx 5:1 -> 50:2 (9.000)
  0,1    0        8     0.000040000     0  B   G gfx 5:1 (11.000)
  0,1    1       10     0.000057000     0  E   G gfx 5:1 (17.000)
  0,1    1       11     0.000080000     0  C   G gfx 5:1 [0] (60.000)
  -,-    0       12     0.000109000   101 WX   - 5:1 [game] (59.000)
  1,2    0       13     0.001000000   200  Q   X copy 6:3 [browser]
  1,2    1       18     0.040000000     0 ER   X copy 6:3 timeout -110
  1,2    1       19     0.062000000     0  C   X copy 6:3 [-5] (51000.000)
LINES
lines "the table of programs and the summary" "$grparse" -O -s -t stages << 'LINES'
PROGRAM              PID       QUEUED    COMPLETED        WAITS     FAILED        EXEC us        WAIT us       QUEUE us   Q2D avg us   Q2D max us   D2C avg us   D2C max us
game                 100            1            1            1          0             17             59             30           10           10           60           60
browser              200            1            1            0          1         17,000              0         21,000       10,000       10,000       51,000       51,000
CPU0 (stages):
 Queued:                     2     Picked:                     1
 Dependencies:               1     Blocked:                    1
 Dispatched:                 2     Started:                    1
 Ended:                      0     Fences:                     0
 Completed:                  0     With error:                 0
 Waits:                      1     Waits ended:                1
 Interrupts:                 0     Switches:                   0
CPU1 (stages):
 Queued:                     0     Picked:                     1
 Ended:                      2     Fences:                     0
 Completed:                  2     With error:                 1
Total (stages):
 Dispatched:                 3     Started:                    2
Throughput: 32.3 jobs/s
Jobs (stages): 2 completed, 0 incomplete
Events (stages): 18 entries
Trace started at Tue Nov 14 22:13:20 2023
LINES
lines "the drawing's numbers" "$grtrace" timeline stages << 'LINES'
stages: 61.990 ms from 0.000010000 s on, a column is 851.968 us
card0 gfx (render)  1 job, depth to 0.1  B 0.0 %
card1 copy (copy)  1 job, depth to 1.0, 1 failed  A 27.4 %
A  browser              200             1    17.000 ms
B  game                 100             1    17.000 us
LINES
lines "the story of a job" "$grtrace" explain 5:1 stages << 'LINES'
  32.9 %   23.000 us  it had ended [its end to C]
  24.3 %   17.000 us  it ran itself [B to its end]
  15.7 %   11.000 us  card0 gfx had 5:1 and did not begin it [D to B]
  12.9 %    9.000 us  card0 gfx was reset and got 5:1 again [D to D]
   8.6 %    6.000 us  the driver did not hand 5:1 to card0 gfx [I to D]
   4.3 %    3.000 us  the fence 4:9, of no job known to have ended, blocked
   1.4 %    1.000 us  the scheduler did not pick 5:1 for card0 gfx, no record
 100.0 %   70.000 us  Q to C, 30.000 us of it waiting [Q to B]
     0.000010000  game (thread 101 of process 100) submitted it
     0.000040000  the hardware begins with it [B, CPU 0, gseq 8, hardware]
     0.000057000  the hardware is done with it [E, CPU 1, gseq 10, interrupt]
     0.000109000  game (thread 101 of process 100) continues, after 59.000 us
LINES

# ---------------------------------------------------------------------------------- events

cat > kinds.txt << 'FIXTURE'
cpu none
info start=1000
ring id=3 class=1 device=card0 driver=mock name=gfx
cpu 1
task pid=71 tgid=70 comm=game cgroup=99 ts=2000
submit pid=71 ctx=5 ring=3 seqno=6 arg=7 fence=8:9 client=12 command=519 ts=3000
error ctx=5 ring=3 seqno=6 kind=2 code=-62 guilty=73 comm=game.exe text=gfx_timeout ts=4000
complete ctx=5 ring=3 seqno=6 arg=-5 flags=9 ts=5000
ioctl pid=71 cmd=0xc0406442 driver=virtio_gpu minor=128 duration=500 result=-12 handles=2 cgroup=77 ts=6000
lost events=13 notes=14 first=6500 last=6900 limited=3 pressure=4
sample n=4 previous=2 reason=1 fill=80 ts=7000
message frame 1
FIXTURE
"$synth" kinds.txt kinds
cat > events << 'TABLE'
capture kinds kinds kinds kinds kinds kinds kinds kinds
cpu 1 1 1 1 1 1 1 1
gseq 0 1 2 3 4 NA 5 6
cseq 0 1 2 3 4 5 32 33
ts 2000 3000 4000 5000 6000 6500 7000 8000
type task submit error complete ioctl lost sample message
letter mT Q ER C IO mL mN m
pid 71 71 0 0 71 NA 0 0
tgid 70 70 NA NA 70 NA NA NA
comm game game NA NA game NA NA NA
ctx NA 5 5 5 NA NA NA NA
seqno NA 6 6 6 NA NA NA NA
ring NA 3 3 3 NA NA NA NA
ring_name NA gfx gfx gfx NA NA NA NA
dev NA card0 card0 card0 NA NA NA NA
engine NA render render render NA NA NA NA
fence_ctx NA 8 NA NA NA NA NA NA
fence_seqno NA 9 NA NA NA NA NA NA
kind NA NA 2 NA NA NA NA NA
code NA NA -62 -5 NA NA NA NA
arg NA 7 0 65531 NA NA NA NA
flags NA 0 0 9 NA NA NA NA
time_source NA software software interrupt NA NA NA NA
weight NA 1 1 1 1 NA NA NA
events NA NA NA NA NA 13 NA NA
notes NA NA NA NA NA 14 NA NA
first_ts NA NA NA NA NA 6500 NA NA
last_ts NA NA NA NA NA 6900 NA NA
limited NA NA NA NA NA 3 NA NA
pressure NA NA NA NA NA 4 NA NA
time 1000 2000 3000 4000 5000 5500 6000 7000
where NA task task hardirq NA NA NA NA
kind_name NA NA hang NA NA NA NA NA
sample NA NA NA NA NA NA 4 NA
previous NA NA NA NA NA NA 2 NA
driver NA mock mock mock virtio_gpu NA NA NA
elapsed NA NA NA NA NA NA NA NA
ioctl NA NA NA NA EXECBUFFER NA NA NA
duration NA NA NA NA 500 NA NA NA
result NA NA NA NA -12 NA NA NA
handles NA NA NA NA 2 NA NA NA
cgroup 99 NA NA NA 77 NA NA NA
minor NA NA NA NA 128 NA NA NA
cmd NA NA NA NA 3225445442 NA NA NA
client NA 12 NA NA NA NA NA NA
priority NA 6 NA NA NA NA NA NA
command NA 519 NA NA NA NA NA NA
state NA NA NA NA NA NA NA NA
reason NA NA NA NA NA NA NA NA
timeline NA NA NA NA NA NA NA NA
guilty_pid NA NA 73 NA NA NA NA NA
guilty_comm NA NA game.exe NA NA NA NA NA
error_text NA NA gfx_timeout NA NA NA NA NA
TABLE
# without_text COMMAND...: its rows, without the column text
without_text()
{
	"$@" | python3 -B -c 'import csv, sys
rows = csv.DictReader(sys.stdin)
names = [name for name in rows.fieldnames if name != "text"]
out = csv.DictWriter(sys.stdout, names, extrasaction="ignore")
out.writeheader()
out.writerows(rows)'
}
turned "events of grparse, CSV" events without_text "$grparse" -q --csv kinds
turned "events of export, CSV" events without_text "$grtrace" export --to csv --rows events kinds
for how in "grparse, JSON" "export, JSON"; do
	case $how in
	grparse*) "$grparse" -q --json kinds ;;
	*) "$grtrace" export --to json --rows events kinds | sed -n 's/"row":"event",//p' ;;
	esac > rows 2> err
	turned "events of $how" -event sed 's/"text":\(null\|"[^"]*"\),//' rows
done
lines "the lines of events" "$grparse" -q -v kinds << 'LINES'
  -,-    1        0     0.000001000    71 mT   - task 71 is game of process 70, cgroup 99
  0,3    1        1     0.000002000    71  Q   G gfx 5:6 -> 8:9 [game]
  0,3    1        2     0.000003000     0 ER   G gfx 5:6 hang -62 by game.exe:73 "gfx_timeout"
  0,3    1        3     0.000004000     0  C   G gfx 5:6 [-5]
  -,-    1        4     0.000005000    71 IO   - virtio_gpu EXECBUFFER = -12, 0.500 us, 2 handles [game]
  -,-    1        4     0.000005500     0 mL   - 27 records lost here (13 events, 14 notes), from 0.000005500 to 0.000005900 (6: buffer full; 3: rate limit; 4: backpressure)
  -,-    1        5     0.000006000     0 mN   - from here 1 job of 4 is recorded, before it was 1 job of 2: the channel fills up (80 % full)
  -,-    1        6     0.000007000     0  m   - frame 1
LINES
run "$grparse" --help
sed -n '/^Columns of --csv/,/^An id/p' out | awk '/^  / && $1 != "text" { print $1 }' > is
cut -d' ' -f1 events > wanted
same "the help of grparse names the columns of events" is wanted

# Every letter of a format.
letters=$("$grparse" --help | sed -n 's/^  %\([A-Za-z]\) .*/\1/p' | tr -d '\n')
[ "$letters" = abcCdDeEfgklmMnNpPqrRsStTuUvVwxyz ]
result $? "the letters of a format"
lines "what each is" "$grparse" -q -t -a submit,commit,error -f "$(echo "$letters" | sed 's/./&=%& /g').\n" stages << 'LINES'
a=Q b=1 c=0 C=game d=G D=  0,1   e=0 E= f=- g=2 k=- l=s m= M=0 n=1 N=40 p=101 P=100 q=2 r=gfx R=1 s=2 S=1 t=000010000 T=0 u=- U=1 v=card0 V=mock w= x=5 y= z=22:13:20.000010 .
a=D b=1 c=0 C=? d=G D=  0,1   e=0 E= (9.000) f=50:2 g=7 k=- l=s m= M=0 n=0 N=40 p=12 P=- q=7 r=gfx R=1 s=7 S=1 t=000029000 T=0 u=9.000 U=0 v=card0 V=mock w= x=5 y= z=22:13:20.000029 .
a=ER b=1 c=1 C=? d=X D=  1,2   e=-110 E= f=- g=18 k=timeout l=s m= M=1 n=0 N=128 p=0 P=- q=6 r=copy R=2 s=18 S=3 t=040000000 T=0 u=- U=0 v=card1 V=mock w= x=6 y= z=22:13:20.040000 .
LINES
"$synth" - latency << 'FIXTURE'
cpu none
info start=1000000 real=1700000000000000000
ring id=1 class=1 device=card0 driver=mock name=gfx
cpu 0
task pid=101 tgid=100 comm=game ts=1001000
submit pid=101 ctx=5 ring=1 seqno=1 ts=1010000
ioctl pid=101 cmd=0xc0406442 driver=virtio_gpu duration=7000 handles=2 ts=1013000
pick pid=12 ctx=5 ring=1 seqno=1 ts=1020000
commit pid=12 ctx=5 ring=1 seqno=1 fence=50:1 ts=1030000
start ctx=5 ring=1 seqno=1 flags=10 ts=1040000
end ctx=5 ring=1 seqno=1 flags=9 ts=1070000
wait_enter pid=101 ctx=5 seqno=1 ts=1071000
complete ctx=5 ring=1 seqno=1 flags=9 ts=1090000
wait_exit pid=101 ctx=5 seqno=1 ts=1131000
ioctl pid=101 cmd=0xc00c64b2 driver=virtio_gpu duration=3000 result=-12 ts=1200000
FIXTURE
lines "latencies from an ioctl to a waiter" "$grtrace" timeline --latency-only latency << 'LINES'
LATENCY                              N    FAILED         MIN         AVG         p50         p90         p99         MAX
  virtio_gpu EXECBUFFER              1         0    7.000 us    7.000 us    7.000 us    7.000 us    7.000 us    7.000 us
  virtio_gpu MODE_CREATE_DUMB        1         1    3.000 us    3.000 us    3.000 us    3.000 us    3.000 us    3.000 us
  all                                2         1    3.000 us    5.000 us    3.007 us    7.000 us    7.000 us    7.000 us
GPU
  SUBMIT to COMPLETE                 1         0   80.000 us   80.000 us   80.000 us   80.000 us   80.000 us   80.000 us
  run to COMPLETE                    1         0   60.000 us   60.000 us   60.000 us   60.000 us   60.000 us   60.000 us
  entry to COMPLETE                  1         0   84.000 us   84.000 us   84.000 us   84.000 us   84.000 us   84.000 us
  entry to waiter back               1         0  125.000 us  125.000 us  125.000 us  125.000 us  125.000 us  125.000 us
Histogram: ioctl, from entry to return
           2            4          1  50.0  ####################################
           4            8          1  50.0  ####################################
Histogram: GPU, SUBMIT to COMPLETE
          64          128          1 100.0  ####################################
LINES

# ----------------------------------------------------------------------------- a session

# shellcheck source=tools/grtrace/tests/cli/fake_debugfs.sh
. "$here/fake_debugfs.sh"
fake_make "$work/d"
printf '%s\n' 'offered 1009' 'written 701' 'notes 17' 'filtered_type 101' 'sampled_out 103' 'rate_limited_drops 51' \
	'backpressure_drops 29' 'lost 24' 'lost_notes 5' 'overwritten 0' > d/grtrace/stats
printf '%s\n' cpu,offered,written,notes,lost,lost_notes,bytes 0,400,300,7,11,2,30000 2,609,401,10,13,3,50000 > d/grtrace/pc_stats
lines "status" "$grtrace" status -r d << 'LINES'
offered                               1009
written                                701
notes                                   17
lost                                    24
lost_notes                               5
id  device        driver        name    class   in_flight  flags  timeout_ms
2   mock0         grtrace_mock  ring-a  copy    3                 500
drops                 sampled_out 103 (10.2 %), rate_limited_drops 51 (5.1 %), backpressure_drops 29 (2.9 %)
imbalance             CPU 2 has 1.1 times the mean of 2 CPUs
LINES
lines "status of CPUs" "$grtrace" status --view pc_stats -r d << 'LINES'
cpu  offered  written  notes  lost  lost_notes  bytes
0    400      300      7      11    2           30000
2    609      401      10     13    3           50000
LINES
check "status, JSON" 0 '"stats": \{"offered": 1009, "written": 701, "notes": 17, .*"lost": 24, "lost_notes": 5,' "$grtrace" status --json -r d
head -c 5000 /dev/zero > d/grtrace/trace0
sed -i 's/^rate_limited.*/rate_limited_drops 11/; s/^backpressure.*/backpressure_drops 7/; s/^overwritten.*/overwritten 19/' d/grtrace/stats
lines "the end of a recording" "$grtrace" record -r d -- true << 'LINES'
  CPU  0:                  300 events,        5 KiB data
  CPU  2:                  401 events,        0 KiB data
  Total:                   701 events (dropped 24),        5 KiB data
LINES
cp err told
lines "and what was lost" cat told << 'LINES'
You have 24 (  3.3%) dropped events
11 of them were refused by the rate limit (--rate, --burst), 7 by backpressure (--backpressure)
You have 5 dropped notes (names of tasks and rings, messages)
19 older events were overwritten (mode=overwrite)
LINES

# ------------------------------------------------------------------------------ two sides

lines "base and new" "$grtrace" diff stages spread << 'LINES'
STAGE              BASE           NEW      DIFF %  95 % interval
B2E   n               1          1000    +99900.0
      mean    17.000 us     15.775 us        -7.2  NA
      p50     17.000 us     10.000 us       -41.2  NA
      p90     17.000 us     20.000 us       +17.6  NA
      p99     17.000 us     40.000 us      +135.3  NA
      p99.9   17.000 us     80.000 us      +370.6  NA
Only in the base: card1 copy, 1 job
Base stages
New spread
LINES
cat > sides << 'TABLE'
ring card0_gfx card0_gfx card0_gfx card0_gfx card0_gfx card0_gfx
stage B2E B2E B2E B2E B2E B2E
stat n mean p50 p90 p99 p99.9
base 1 17000 17000 17000 17000 17000
new 1000 15775 10000 20000 40000 80000
diff_percent 99900.000 -7.206 -41.176 17.647 135.294 370.588
low_percent NA NA NA NA NA NA
high_percent NA NA NA NA NA NA
differs 0 0 0 0 0 0
base_lossy 0 0 0 0 0 0
new_lossy 0 0 0 0 0 0
condition NA NA NA NA NA NA
verdict NA NA NA NA NA NA
why NA NA NA NA NA NA
TABLE
"$grtrace" diff --csv stages spread 2> err | sed -n '1p; /,B2E,/p' > rows
turned "sides, CSV" sides cat rows
sed '/^condition/,$d' sides > figures
"$grtrace" diff --json stages spread 2> err | grep '"stage":"B2E"' > rows
sed -i 's/\.\([0-9]*[1-9]\)0*$/.\1/; s/99900\.000/99900.0/' figures
turned "sides, JSON" figures -figure cat rows

lines "inputs and their types of events" "$grtrace" merge --stats-only stages kinds << 'LINES'
INPUT                    KIND       MACHINE  CLOCK        RECORDS     LOST        OFFSET ns UNCERTAINTY
stages                   capture    m0       mono              20        0               +0 +-0 ns (the clock of the result)
28 records in one capture
stages
  commit                            3  ##############################
  complete                          2  ####################
kinds
  ioctl                             1  ##############################
LINES

finish
