#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Captures in the formats of other programs, read by these programs.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
workload=$build/workload
manual=$here/../../../../Documentation/gpu/grtrace/queries.sql

export_to()
{
	"$grtrace" export --to "$@"
}

# compare NAME SCRIPT-ARGUMENTS...: export.py has nothing to say
compare()
{
	compared=$1
	shift
	check "$compared" 0 '^[1-9][0-9]* compared$' python3 -B "$here/export.py" "$@"
}

# events CAPTURE, jobs CAPTURE: what our own readers say
events()
{
	"$grparse" -q --json "$1" > "$1.events" 2> err
}
jobs()
{
	"$grtrace" report -o report --csv "$1.jobs" "$1" 2> err
}

for name in two_cpus loss odd two_gpus virtio sampling notes ioctls; do
	"$synth" "$fixtures/$name.txt" "$name"
done
"$workload" --seed 7 --jobs 2000 --cpus 3 --depend 300 --wait 200 --preempt 50 --fail 20 whole 2> err
"$workload" --seed 8 --jobs 2000 --cpus 3 --depend 200 --wait 100 --drop 20 --overwrite 30 \
	--subbuf 4096 --wrap --hang 5 lossy 2> err
# A kernel's own; the load's count is known.
for cpu in 0 1; do
	cp "$here/../captures/mock-7.3/x.grtrace.$cpu" "mock.grtrace.$cpu"
done
captures='two_cpus loss odd two_gpus virtio sampling notes ioctls whole lossy mock'
for capture in $captures; do
	events "$capture"
	jobs "$capture"
done

# SQLite
for capture in $captures; do
	check "$capture to sqlite" 0 '' export_to sqlite -o "$capture.db" "$capture"
	sqlite3 -json "$capture.db" 'SELECT * FROM event_row ORDER BY id' > "$capture.db.events"
	sqlite3 -json "$capture.db" 'SELECT * FROM job_row ORDER BY id' > "$capture.db.jobs"
	compare "$capture: each event" rows "$capture.events" "$capture.db.events"
	# Jobs are none of its business.
	[ "$capture" = ioctls ] || compare "$capture: each job" rows "$capture.jobs" "$capture.db.jobs"
done
check "jobs of each ring, as the load counted" 0 '^compute0 16,copy0 14,render0 16,video0 14$' sqlite3 mock.db \
	"SELECT group_concat(ring || ' ' || n) FROM (SELECT ring, count(*) AS n FROM job_row GROUP BY 1 ORDER BY 1)"
check "and those that failed" 0 '^compute0 4,video0 2$' sqlite3 mock.db \
	"SELECT group_concat(ring || ' ' || n) FROM (SELECT ring, count(*) AS n FROM job_row WHERE error GROUP BY 1 ORDER BY 1)"
check "the schema has a number" 0 '^2$' sqlite3 whole.db "SELECT value FROM meta WHERE key = 'schema_version'"
check "no damage" 0 '^ok$' sqlite3 whole.db 'PRAGMA integrity_check'
check "no row points to nothing" 0 '' sqlite3 lossy.db 'PRAGMA foreign_key_check'
absent "really" .
printf 'info start=0\nring id=1 name=gfx\ncpu 0\ntask pid=1 comm=a\nsubmit pid=1 ctx=1 ring=1 seqno=1
task pid=1 comm=b\nsubmit pid=1 ctx=1 ring=1 seqno=2\ntask pid=1 comm=b\nsubmit pid=1 ctx=1 ring=1 seqno=3\n' |
	"$synth" - renamed
check "has two rows" 0 '^2$' sh -c "\"$grtrace\" export --to sqlite -o renamed.db renamed &&
	sqlite3 renamed.db 'SELECT count(*) FROM task'"
check "events know which" 0 '^a,b,b$' sqlite3 renamed.db \
	"SELECT group_concat(comm) FROM event_row WHERE type = 'submit'"
# A simple count cannot do what the tracker does at places of loss.
printf 'cpu 0\nring id=1 device=a driver=x name=r\nring id=2 device=a driver=y name=s\nsubmit ring=2 ctx=1 seqno=1\n' |
	"$synth" - drivers
check "two drivers of one device" 0 '^a y$' sh -c "\"$grtrace\" export --to sqlite -o drivers.db drivers &&
	sqlite3 -separator ' ' drivers.db \"SELECT dev, driver FROM event_row WHERE type = 'submit'\""
for query in slowest waited busy percentiles depth engines labels chain rate; do
	compare "the manual's query $query" query "$manual" "$query" whole.db whole.events whole.jobs
done
for query in slowest percentiles engines labels rate losses; do
	compare "the manual's query $query, with losses" query "$manual" "$query" lossy.db lossy.events lossy.jobs
done
for query in depth engines labels rate; do
	compare "the manual's query $query, with samples" query "$manual" "$query" sampling.db sampling.events sampling.jobs
done
check "all queries of the file at once" 0 '' sh -c "sqlite3 -bail lossy.db < '$manual' > queries.out && test -s queries.out"
"$grtrace" report --busy -o whole.busy whole 2> err
compare "busy as report has it" busy "$manual" whole.db whole.busy
check "two captures in one" 0 '^two_cpus 20,two_gpus 21$' sh -c "
	\"$grtrace\" export --to sqlite -o both.db two_cpus two_gpus 2> err
	sqlite3 both.db \"SELECT group_concat(name || ' ' || n) FROM (SELECT capture.name,
		count(*) AS n FROM event JOIN capture ON capture.id = event.capture
		WHERE gseq IS NOT NULL GROUP BY 1)\""

# CSV and JSON
for capture in $captures; do
	"$grparse" -q --csv "$capture" > "$capture.csv.want" 2> err
	export_to csv -o "$capture.csv" "$capture" 2> err
	same "$capture: events to csv" "$capture.csv" "$capture.csv.want"
	export_to csv --rows jobs -o "$capture.jobs.csv" "$capture" 2> err
	same "$capture: jobs to csv" "$capture.jobs.csv" "$capture.jobs"
	export_to json -o "$capture.json" "$capture" 2> err
	compare "$capture: events to json" json event "$capture.events" "$capture.json"
	[ "$capture" = ioctls ] || compare "$capture: jobs to json" json job "$capture.jobs" "$capture.json"
done
check "what was lost" 0 '"row":"end","capture":"loss",.*"lost_events":3,"lost_notes":1,"missing":1010' \
	export_to json loss
printf '%s\n' 'session 0x8000000000000001' 'info start=1000 real=1700000000000000001' 'cpu 0' \
	'submit ctx=9007199254740993 ring=1 seqno=1 ts=2000' 'complete ctx=9007199254740993 ring=1 seqno=1' |
	"$synth" - huge
check "a session and a wall clock no double has" 0 '"row":"capture".*"session":"9223372036854775809".*"start_ts":1000,"start_real":"1700000000000000001"' \
	export_to json huge
check "an id of a job" 0 '"row":"job".*"ctx":"9007199254740993","seqno":"1",' export_to json huge
check "as that of an event" 0 '"row":"event".*"ctx":"9007199254740993","seqno":"1",' export_to json huge
printf '%s\n' 'cpu none' 'meta device card0 pci 1af4:1050' 'ring id=1 device=card0 driver=mock name=gfx' \
	'cpu 0' 'submit ctx=5 ring=1 seqno=1' | "$synth" - models
check "the model of a device" 0 '"row":"capture".*"models":"card0 pci 1af4:1050"' export_to json models
export_to sqlite -o models.db models 2> err
check "in SQLite" 0 '^card0 1af4:1050$' sqlite3 -separator ' ' models.db 'SELECT name, model FROM device'
hole="$here/../captures/truth-known-gseq-hole"
export_to sqlite -o hole.db -D "$hole" x 2> err
check "in no file, in SQLite" 0 '^1 1000400001 1000440000 2$' sqlite3 -separator ' ' hole.db \
	'SELECT cpu, first_ts, last_ts, records FROM loss WHERE event IS NULL'
check "a gap" 0 '"row":"gap","capture":"loss","cpu":1,"records":[0-9]+,"first_ts":[0-9]+,"last_ts":[0-9]+' export_to json loss
check "rings" 0 '"row":"ring","capture":"loss","ring":1,"ring_name":"sdma0"' export_to json loss
check "events alone" 0 '"row":"event"' export_to json --rows events two_cpus
absent "no job" '"row":"job"'
check "jobs alone" 0 '"row":"job"' export_to json --rows jobs two_cpus
absent "no event" '"row":"event"'
"$synth" --stream "$fixtures/two_cpus.txt" stream
check "from stdin" 0 '"row":"job"' sh -c "\"$grtrace\" export --to json - < stream"

# CTF, as babeltrace2 prints it
lost_of()
{
	sed -nE 's/.*"lost_events":([0-9]+),"lost_notes":([0-9]+),"missing":([0-9]+).*/\1 \2 \3/p' "$1.json" |
		{ read -r one two three; echo $((one + two + three)); }
}
for capture in $captures; do
	check "$capture to ctf" 0 '' export_to ctf -o "$capture.ctf" "$capture"
	check "$capture: babeltrace2 reads it" 0 '' babeltrace2 --clock-cycles --no-delta "$capture.ctf"
	mv out printed
	mv err warnings
	check "$capture: each event, and what was discarded" 0 '^[1-9][0-9]* compared$' \
		python3 -B "$here/export_ctf.py" "$capture.events" printed warnings "$(lost_of "$capture")"
done
on err check "losses stand where they were" 0 \
	'discarded 4 events between \[00:00:00.000002100\] and \[00:00:00.000002900\] .*/cpu_0"' \
	babeltrace2 loss.ctf
on err check "and so do missing records" 0 \
	'discarded 1000 events between \[00:00:00.000005000\] and \[00:00:00.000006000\] .*/cpu_1"' \
	babeltrace2 loss.ctf
check "the wall clock" 0 '^\[22:13:20\.000001000\] ' babeltrace2 --no-delta --clock-gmt two_cpus.ctf
# A reader holds one packet in memory, so their size has a bound, whatever the capture's.
python3 -B - whole.ctf/capture0/cpu_* > out 2> err << 'PYTHON'
import struct, sys
packets = []
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    while data[:4] == b"\xc1\x1f\xfc\xc1":
        packets.append(struct.unpack_from("<Q", data, 48)[0] // 8)
        data = data[packets[-1]:]
print(len(packets), max(packets))
assert len(packets) > 10 and max(packets) < 66 * 1024
PYTHON
code=$?
result $code "ctf: packets of 64 KiB at most"
check "names of rings" 0 'ring = \( "card0/a,\\"b\\"" : container = 1 \)' babeltrace2 notes.ctf
printf 'info start=1000 real=1700000000000000000\nring id=1 name=r\ncpu 0\nsubmit ring=1 ctx=1 seqno=1 ts=18446744072670367974
complete ring=1 ctx=1 seqno=1\n' | "$synth" - beyond
check "a time that no clock can have" 0 '^\[22:13:20\.000000000\] submit:.* ts = 18446744072670367974,' \
	sh -c "\"$grtrace\" export --to ctf -o beyond.ctf beyond && babeltrace2 --no-delta --clock-gmt beyond.ctf"
check "two captures" 0 'submit: .*ts = 1002000000' sh -c \
	"\"$grtrace\" export --to ctf -o both.ctf two_cpus two_gpus && babeltrace2 both.ctf"
check "one ring" 0 '' export_to ctf --ring ring1 -o ring1.ctf lossy
check "the others are not lost" 0 '' babeltrace2 --clock-cycles --no-delta ring1.ctf
mv err warnings
mv out printed
"$grparse" -q --json --ring ring1 lossy > ring1.events 2> err
check "each event of the ring" 0 '^[1-9][0-9]* compared$' \
	python3 -B "$here/export_ctf.py" ring1.events printed warnings "$(lost_of lossy)"
check "the directory is there already" 1 'whole.ctf: already exists' export_to ctf -o whole.ctf whole
check "its disk fills up" 1 'full.ctf: cannot write: .*: make room' \
	sh -c "trap '' XFSZ; ulimit -f 16; exec \"$grtrace\" export --to ctf -o full.ctf whole"
! ls -d full.ctf* > out 2>&1
result $? "nothing is left of it"

# Perfetto, only by its definitions. Another interpreter may lack the modules of the
# distribution's.
python=python3
for one in python3 /usr/bin/python3; do
	if "$one" -c 'import google.protobuf' 2> err; then
		python=$one
		break
	fi
done
check "the definitions" 0 '' protoc -I"$here/../../src/words/export" --python_out=. perfetto.proto
for capture in $captures; do
	check "$capture to perfetto" 0 '' export_to perfetto -o "$capture.perfetto" "$capture"
	# Jobs are none of its business.
	[ "$capture" = ioctls ] || check "$capture: each job" 0 '^[1-9][0-9]* compared$' \
		"$python" -B "$here/export_perfetto.py" jobs "$capture.perfetto" "$capture.jobs" "$capture.db"
done
for capture in loss sampling lossy; do
	check "$capture: each loss" 0 '^[1-9][0-9]* compared$' \
		"$python" -B "$here/export_perfetto.py" losses "$capture.perfetto" "$capture.db"
done
check "arrows, dependencies and waits" 0 '^2000 arrows, [1-9][0-9]* dependencies, [1-9][0-9]* waits$' \
	"$python" -B "$here/export_perfetto.py" jobs whole.perfetto whole.jobs whole.db
printf '%s\n' 'cpu none' 'ring id=1 class=1 device=card0 driver=mock name=gfx' 'cpu 0' 'task pid=5 tgid=5 comm=gfx ts=1000' \
	'submit pid=5 ctx=1 seqno=1 ring=1' 'start ctx=1 seqno=1 ring=1' 'end ctx=1 seqno=1 ring=1' | "$synth" - namesake
export_to perfetto -o namesake.perfetto namesake
check "a process that is called as its ring is no stage of that name" 0 'gfx job' strings namesake.perfetto
check "depths" 0 '^[1-9][0-9]* compared$' \
	"$python" -B "$here/export_perfetto.py" depths whole.perfetto whole.db "$manual"
cat whole.perfetto two_cpus.perfetto notes.perfetto > several.perfetto
protoc --decode_raw < several.perfetto > raw 2> err
check "the numbers of Perfetto's fields" 0 '^[1-9][0-9]* compared$' \
	"$python" -B "$here/export_perfetto.py" numbers raw
check "an ioctl" 0 'name: "EXECBUFFER"' sh -c "protoc -I\"$here/../../src/words/export\" \
	--decode perfetto.protos.Trace perfetto.proto < ioctls.perfetto"
check "clocks of two boots" 0 'timestamp_clock_id: 64' sh -c "
	\"$grtrace\" export --to perfetto two_cpus sampling 2> err |
	protoc -I\"$here/../../src/words/export\" --decode perfetto.protos.Trace perfetto.proto"

# Text, as scripts read it
for capture in $captures; do
	for style in text text-old; do
		check "$capture to $style" 0 '' export_to "$style" -o "$capture.$style" "$capture"
		check "$capture: each line of $style" 0 '^[1-9][0-9]* compared$' \
			python3 -B "$here/export_text.py" "$style" "$capture.events" "$capture.$style"
	done
done
check "as Linux prints it" 0 \
	'^ +kworker/1:1-12 +\[001\] \.{5} +0\.001007000: drm_sched_job_run: dev=card0, fence=5:1, ring=gfx, job count:0, hw job count:1, client_id:0$' \
	export_to text two_cpus
check "and printed it" 0 \
	'^ +kworker/1:1-12 +\[001\] \.{5} +0\.001007000: drm_run_job: entity=[0-9a-f]{16}, id=[0-9]+, fence=[0-9a-f]{16}, ring=gfx, job count:0, hw job count:1$' \
	export_to text-old two_cpus
check "what ended is not counted" 0 'fence=20:5, ring=controlq, .* hw job count:0,' export_to text virtio
check "a loss" 0 '^CPU:0 \[LOST 4 EVENTS\]$' export_to text loss

# A name that is not known does not change the type of its key.
printf '%s\n' 'cpu 0' 'submit pid=10 ctx=7 ring=1 seqno=1 ts=1000' > bare.txt
"$synth" bare.txt bare
check "json: a ring without a name is a text" 0 '"row":"job",.*"ring":"1","engine":null' export_to json bare

# The choice of jobs
"$grparse" -q --csv --ring ring1 --pid 2000 --since 1ms --until 9ms whole > want 2> err
on err check "behind the end" 0 '^grtrace export: whole: ends [0-9.]+ ms after its start, before the chosen interval begins' \
	export_to csv --since 500 -o none.csv whole
export_to csv --ring ring1 --pid 2000 --since 1ms --until 9ms -o chosen whole 2> err
same "filters are grparse's" chosen want
[ "$(wc -l < want)" -gt 100 ]
result $? "and choose something"
for cpu in 0 1; do
	xz -dc "$here/../captures/demo-7.3/x.grtrace.$cpu.xz" > "demo.grtrace.$cpu"
done
# A job is what all its records make of it, even if the choice has few of them.
for choice in 'whole --pid 2000' 'whole --ring ring1' 'whole --ctx 7' 'whole --pid app-2010 --since 1ms --until 9ms' \
	'demo --pid 29' 'lossy --pid 2000' 'mock --pid mockload' 'mock --ctx 10' 'mock --since 160ms --until 170ms'; do
	capture=${choice%% *}
	# shellcheck disable=SC2086 # words
	set -- ${choice#* }
	"$grtrace" report -o report --csv want "$@" "$capture" 2> err
	[ "$(wc -l < want)" -gt 5 ]
	result $? "$choice: has jobs"
	export_to csv --rows jobs "$@" -o chosen "$capture" 2> err
	same "$choice: the jobs of the report" chosen want
	export_to sqlite "$@" -o chosen.db "$capture" 2> err
	sqlite3 -json chosen.db 'SELECT * FROM job_row ORDER BY id' > chosen.jobs
	compare "$choice: in a database, too" rows want chosen.jobs
	# The seqno of a job before the interval has only its lower half.
	[ "$capture" = lossy ] && continue
	export_to perfetto "$@" -o chosen.perfetto "$capture" 2> err
	check "$choice: and in Perfetto" 0 '^[1-9][0-9]* compared$' \
		"$python" -B "$here/export_perfetto.py" jobs chosen.perfetto want chosen.db
done
# A client of ftrace's text is that of a row.
"$synth" "$fixtures/clients.txt" clients
export_to csv --rows jobs -o clients.csv clients 2> err
export_to text -o clients.text clients 2> err
awk -F, 'NR > 1 && $9 != "NA" { print $4 ":" $5 % 4294967296, $33 == "NA" ? 0 : $33 }' clients.csv | sort > want
sed -n 's/.*_job_queue:.* fence=\([^,]*\),.*client_id:\(.*\)/\1 \2/p' clients.text | sort > got
same "text: the client that submitted each job" got want
grep -q ' 12$' got
result $? "which is recorded"
# A note may come before the interval of what is exported.
export_to text --since 1.795ms -o late.text clients 2> err
check "text: a client of a job that was submitted before the interval" 0 ' fence=133:1,.*client_id:14$' cat late.text
# A wait may come long after the job was over, and from another process.
export_to csv --rows jobs -o demo.jobs.csv demo 2> err
for choice in '' '--pid 180' '--ring compute0' '--pid 29'; do
	# shellcheck disable=SC2086 # words
	export_to csv --rows events $choice -o demo.csv demo 2> err
	# shellcheck disable=SC2086 # words
	export_to csv --rows events --slow-only $choice -o slow.csv demo 2> err
	compare "events of slow jobs ${choice:-of all}" slow demo.csv demo.jobs.csv slow.csv
done
for format in csv json text perfetto; do
	check "$format: one ring of two that is not there" 2 'ring vcn: not in the capture' \
		export_to $format --ring ring1,vcn whole
	[ ! -s out ]
	result $? "$format: nothing is written"
done
check "a ring that is not there" 2 '--ring vcn: not in the capture; its rings, as device/name \(id, engine class\): ' \
	export_to csv -o absent --ring vcn whole
for format in csv json sqlite ctf perfetto text; do
	check "$format of a ring that is not there" 2 'ring vcn: not in the capture' export_to $format -o absent --ring vcn whole
	check "leaves nothing" 1 '' test -e absent
done

# When it cannot be written
check "a full disk" 1 'cannot write: .*: make room' export_to csv -o /dev/full whole
for format in sqlite csv json perfetto text; do
	echo before > kept
	check "$format: the disk fills up" 1 'kept: cannot write: .*: make room' \
		sh -c "trap '' XFSZ; ulimit -f 16; exec \"$grtrace\" export --to $format -o kept whole"
	[ "$(cat kept)" = before ] && ! ls kept.* > out 2>&1
	result $? "$format: nothing is half-written"
done
check "no such directory" 1 'none/x.db: cannot create' export_to sqlite -o none/x.db whole
check "no capture" 1 'nope: no such capture' export_to sqlite -o nope.db nope
[ ! -e nope.db ]
result $? "leaves no file"
check "a device is no database" 1 'not a regular file' export_to sqlite -o /dev/null whole

# When it is interrupted: long enough a capture that it is not done by then.
"$workload" --jobs 500000 --cpus 2 long > /dev/null 2> err
for format in sqlite ctf csv; do
	mkdir "left.$format"
	check "$format, interrupted" 130 "^grtrace export: interrupted: left.$format/x is not written" \
		python3 "$here/interrupted.py" "err" \
		"exec '$grtrace' export --to $format -o left.$format/x long" 1
	[ -z "$(ls "left.$format")" ]
	result $? "$format: and leaves nothing"
done
rm long.grtrace.*

# Usage
check "no format" 2 'name a format with --to: sqlite, csv, json' "$grtrace" export whole
check "a wrong format" 2 '--to knows sqlite, .* not "xml"' export_to xml whole
check "no capture named" 2 'name a capture' export_to csv
check "a database on stdout" 2 'sqlite cannot go to standard output: name a file with -o' export_to sqlite whole
check "a directory on stdout" 2 'ctf cannot go to standard output: name a directory' export_to ctf whole
check "wrong --rows" 2 '--rows knows' export_to json --rows x whole
check "--rows of sqlite" 2 '--rows is for csv and json' export_to sqlite --rows jobs -o x whole
check "--rows all of csv" 2 "has rows of one kind" export_to csv --rows all whole
check "--strict" 3 '' export_to csv -o lossy.csv --strict lossy
check "--help" 0 '^  sqlite +a database' "$grtrace" export --help
check "among the words" 0 '^  export ' "$grtrace" help

finish
