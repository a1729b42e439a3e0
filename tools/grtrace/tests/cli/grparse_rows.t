#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output of grparse for other programs: --csv and --json.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$synth" "$fixtures/two_cpus.txt" two
"$synth" "$fixtures/loss.txt" loss
"$synth" "$fixtures/notes.txt" notes
"$synth" "$fixtures/sampling.txt" sampled
"$synth" "$fixtures/ioctls.txt" ioctls

check "--csv begins with the names" 0 \
	'^capture,cpu,gseq,cseq,ts,type,letter,pid,tgid,comm,ctx,seqno,ring,ring_name,dev,engine,fence_ctx,fence_seqno,kind,code,arg,flags,time_source,weight,text,events,notes,first_ts,last_ts,' \
	"$grparse" -q --csv two
[ "$(grep -Ec '^two,[01],[0-9]+,' out)" = 20 ]
result $? "a line for each event and note"
check "an event" 0 \
	'^two,0,2,2,1003000,submit,Q,697,690,glxgears,5,1,1,gfx,card0,render,NA,NA,NA,NA,1,0,software,1,NA,NA,NA,NA,NA,NA,NA,3000,task,' \
	"$grparse" -q --csv two
check "in an interrupt" 0 ',complete,C,0,NA,NA,5,2,1,gfx,card0,render,NA,NA,NA,-5,65531,9,interrupt,1,.*,hardirq,' \
	"$grparse" -q --csv two
check "LOST has its place and no number" 0 \
	'^loss,0,NA,1,2100,lost,mL,NA,.*,3,1,2100,2900,0,0,1100,' "$grparse" -q --csv loss
check "the name of the capture" 0 '^loss,0,0,0,2000,submit' "$grparse" -q --csv two loss
check "quotes" 0 ',message,m,0,NA,NA,.*,"one, ""two"" \\ three",' "$grparse" -q --csv notes
check "a name that reads NA" 0 ',submit,Q,5,4,"NA",4294967301,4294967295,2,late,card0,-,' \
	"$grparse" -q --csv notes
check "a ring nobody described" 0 ',commit,D,6,NA,NA,4294967301,4294967295,7,NA,NA,NA,4294967305,1,' \
	"$grparse" -q --csv notes
check "before the start" 0 ',submit,Q,.*,-500,task,' "$grparse" -q --csv notes
check "an unknown type" 0 '^notes,0,9,9,[0-9]*,40,NA,0,NA' "$grparse" -q --csv notes

check "an ioctl" 0 ',ioctl,IO,70,70,kmscube,NA,.*,virtio_gpu,NA,EXECBUFFER,500,0,2,77,128,3225445442(,NA){9}$' \
	"$grparse" -q --csv ioctls
check "one that failed, with fields missing" 0 ',ioctl,IO,71,71,modetest,.*,mock,NA,0x5401,0,-25,NA,NA,0,21505(,NA){9}$' \
	"$grparse" -q --csv ioctls
check "as text" 0 ' IO   - virtio_gpu EXECBUFFER = 0, 0\.500 us, 2 handles \[kmscube\]$' \
	"$grparse" -q ioctls
check "only ioctls" 0 '' "$grparse" -q -a IO ioctls
[ "$(wc -l < out)" = 6 ]
result $? "and LOST"
check "their number" 0 ' Ioctls: +3$' "$grparse" ioctls
check "the summary goes to stderr" 0 '' "$grparse" --csv two
! grep -q Total out && grep -q 'Events (two): 17 entries' err
result $? "and not between the lines"
check "-a" 0 '' "$grparse" -q --csv -a Q loss
[ "$(cut -d, -f6 out | sort | uniq -c | tr -s ' \n' '  ')" = ' 1 lost 4 submit 1 type ' ]
result $? "keeps the types, and the notes"
check "-w" 0 '' "$grparse" -q --csv -w 0.00006:0.000144 two
[ "$(cut -d, -f6 out | tr '\n' ' ')" = 'type fence complete wait_exit fence ' ]
result $? "keeps the interval"
check "-o" 0 '' "$grparse" -q --csv -o file two
check "both" 2 'choose one of --csv and --json' "$grparse" --csv --json two

# Its readers accept it.
for name in two loss notes sampled; do
	if has_program "--json of $name has the same keys on every line" jq; then
		"$grparse" -q --json $name > json 2> err
		"$grparse" -q --csv $name 2> err | head -n 1 | tr ',' '\n' > names
		jq -r 'keys_unsorted[]' json | sort | uniq -c |
			awk -v n="$(wc -l < json)" '$1 != n' > short
		jq -r 'keys_unsorted | join("\n")' json | head -n "$(wc -l < names)" > keys
		[ ! -s short ] && cmp -s names keys
		result $? "--json of $name has the same keys on every line"
	fi
done
# With NA for null, JSON says what CSV says.
cat > compare.py << 'PY'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline='')))
objects = [json.loads(line) for line in open(sys.argv[2])]
same = [{k: 'NA' if v is None else str(v) for k, v in o.items()} for o in objects]
sys.exit(rows != same or not rows)
PY
for name in two loss notes sampled; do
	if has_program "--csv and --json of $name agree" python3; then
		"$grparse" -q --json $name > json 2> err
		"$grparse" -q --csv $name > csv 2> err
		python3 compare.py csv json > out 2> err
		code=$?
		result $code "--csv and --json of $name agree"
	fi
done
# 2^53 + 1, which a double cannot hold.
printf 'cpu 0\nsubmit ctx=9007199254740993 ring=1 seqno=1 fence=9007199254740995:2\n' | "$synth" - huge
check "an id is a string, however small" 0 '"ctx":"9007199254740993","seqno":"1","ring":1,.*"fence_ctx":"9007199254740995","fence_seqno":"2"' \
	"$grparse" -q --json huge
check "a number in CSV" 0 ',9007199254740993,1,1,' "$grparse" -q --csv huge
check "and says so" 0 '^  ctx +id +context of the job' "$grparse" --help
printf 'cpu 0\npacket\nmessage caf\303\251 \377\033[1m\n' | "$synth" --stream - bytes
check "bytes that are no UTF-8, and escapes" 0 '"text":"caf.* \\ufffd\\u001b\[1m"' \
	"$grparse" -q --json bytes
if has_program "many captures come out by the wall clock" python3; then
	check "many captures come out by the wall clock" 0 '' \
		python3 -B "$here/many.py" "$synth" "$grparse"
fi
finish
