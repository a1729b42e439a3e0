#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# grparse, asked to show less.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
workload=$build/workload

"$synth" "$fixtures/two_gpus.txt" gpus
"$synth" "$fixtures/loss.txt" loss
"$synth" "$fixtures/two_cpus.txt" two
"$synth" "$fixtures/clients.txt" clients
printf '%s\n' 'info start=0' 'cpu 0' 'submit ctx=1 seqno=1' | "$synth" - none

# shows NAME LINES OPTION...: the events, as letter and ctx:seqno
of=gpus
shows()
{
	name=$1 lines=$2
	shift 2
	"$grparse" -q -f '%a %x:%S\n' "$@" $of > out 2> err
	code=$?
	[ "$code" = 0 ] && [ "$(grep -v '^m' out | paste -sd ,)" = "$lines" ]
	result $? "$name"
}

gfx0='Q 5:1,I 5:1,D 5:1,WE 5:1,FS 50:1,C 5:1,WX 5:1'
gfx3='Q 7:1,I 7:1,D 7:1,WE 7:1,FS 70:1,C 7:1,WX 7:1'
gfxs='Q 5:1,Q 7:1,I 5:1,D 5:1,I 7:1,D 7:1,WE 5:1,WE 7:1,FS 50:1,C 5:1,FS 70:1,C 7:1,WX 5:1,WX 7:1'
shows "--ring by id, with fences and waits" "$gfx0" --ring 1
shows "--ring by name, of all devices" "$gfxs" --ring gfx
shows "--ring by device and name" "$gfx0" --ring card0/gfx
shows "--ring by PCI address and name" "$gfx3" --ring 0000:03:00.0/gfx
shows "--ring of several" "$gfxs" --ring 1,3
shows "--ring repeated" "$gfxs" --ring 1 --ring 0x3
shows "--ring that is not described" 'Q 8:1' --ring 9
shows "--dev by name" "${gfx0%%,*},Q 6:1,${gfx0#*,}" --dev card0
shows "--dev by path" 'Q 6:1' --dev /dev/dri/card0 --ring copy
shows "--dev by PCI address" "$gfx3" --dev 0000:03:00.0
sed '/^info/ameta node card5 0000:00:01.0 0000:03:00.0\
meta node renderD130 0000:00:01.0 0000:03:00.0' "$fixtures/two_gpus.txt" | "$synth" - nodes
"$grparse" -q -O -d copy nodes
"$grtrace" merge -o merged nodes > /dev/null 2>&1
for of in nodes copy merged; do
	for node in card5 renderD130 /dev/dri/renderD130 03:00.0; do
		shows "--dev as the recorder noted it: $node of $of" "$gfx3" --dev $node
	done
done
of=nodes
for word in "report --full" "report --csv -" "timeline" "timeline --jobs" "export --to csv -o -" \
	"export --to csv --rows jobs -o -"; do
	# shellcheck disable=SC2086
	for device in 0000:03:00.0 card5 renderD130; do
		# The next command has the word that was typed.
		"$grtrace" $word --dev $device nodes > "$device" 2>&1 &&
			sed -i 's/ --dev [^ ]*//' "$device" && cmp -s "$device" 0000:03:00.0
		result $? "$word --dev $device"
	done
done
of=gpus
shows "--dev by number" "$gfx3" --dev 1
shows "--engine by name" 'Q 6:1' --engine copy
shows "--engine by letter" 'Q 6:1' --engine x
shows "--engine of several" "${gfx0%%,*},Q 6:1,${gfx0#*,}" --engine copy,G --dev card0
shows "--ctx, with fences and waits" "$gfx3" --ctx 7
shows "--ctx of several" 'Q 6:1,Q 8:1' --ctx 6,0x8
shows "--pid is a thread" "Q 6:1" --pid 102
shows "--pid is a process: its jobs to the end, and its waits" \
	'Q 5:1,Q 6:1,I 5:1,D 5:1,WE 5:1,WE 7:1,FS 50:1,C 5:1,WX 5:1,WX 7:1' --pid 100
shows "--pid of a worker shows what it did, not its jobs" 'I 5:1,D 5:1,I 7:1,D 7:1' --pid 12
shows "--pid and --ring" "$gfx3" --pid 200 --ring 3
shows "--type" 'Q 5:1,Q 6:1,Q 7:1,Q 8:1,C 5:1,C 7:1' --type submit,C
shows "--type and --ctx" 'C 5:1' --type complete --ctx 5
shows "--since" 'FS 99:1,WX 5:1,WX 7:1' --since 9.002ms
shows "--until" 'Q 5:1,Q 6:1' --until 2ms
shows "--since and --until" 'Q 6:1,Q 7:1' --since 0.0015 --until 3500us
shows "--limit" 'Q 5:1,Q 6:1,Q 7:1' --limit 3
shows "--limit counts what passes" 'Q 7:1,I 7:1' --limit 2 --ring 3

of=clients
shows "--client is an open file" 'Q 5:1,I 5:1,D 5:1,FS 50:1,C 5:1' --client 12
shows "two of them, repeated" 'Q 7:1,I 7:1,D 7:1,E 7:1,C 7:1,Q 133:1' --client 13 --client 0xe
shows "by the name of a job of amdgpu's own" 'Q 9:2' --client ttm_copy_buffer
shows "--client and --ctx" 'Q 9:1' --client vm_update,12 --ctx 9
on err check "a client that is not there" 0 '--client 99: no SUBMIT of such a client' "$grparse" -q --client 99 clients
check "a word that is none" 2 'neither a number nor a job of amdgpu' "$grparse" --client firefox clients
"$grtrace" report --csv - clients 2> err | cut -d, -f4,5,33,34 > out
result $? "a report's rows"
cat > want <<'ROWS'
ctx,seqno,client,client_name
133,1,14,NA
5,1,12,NA
5,2,NA,NA
5,3,NA,NA
7,1,13,NA
9,1,18446744073709551615,vm_update
9,2,18446744073709551609,ttm_copy_buffer
ROWS
{ head -n 1 out; tail -n +2 out | sort; } > rows
same "have the client, and what amdgpu's own jobs do" rows want
"$grtrace" report --csv - --client 12,vm_update clients 2> err | cut -d, -f4,5 | sort | paste -sd ' ' > out
grep -qx '5,1 9,1 ctx,seqno' out
result $? "a report on some clients"
"$grtrace" export --to csv --rows jobs --client 14 --since 1.8ms -o some clients 2> err
cut -d, -f4,5,33 some > out
grep -qx '133,1,14' out
result $? "an export of an interval knows what was said before it"
"$grtrace" report --csv report.some --client 14 --since 1.8ms clients > out 2> err
same "and so does a report" report.some some
"$grparse" -q -O -d dumped clients 2> err
"$grparse" -q -v -f '%a %x:%S\n' dumped > lines.part 2> err
"$grparse" -q -v -f '%a %x:%S\n' clients > lines.ring 2> err
same "-d keeps the notes" lines.part lines.ring
"$grtrace" merge -o merged clients none 2> err
"$grtrace" report --csv - merged 2>/dev/null | cut -d, -f4,5,33 | grep -c ',1[234]$' > out
grep -qx 3 out
result $? "merged, jobs keep their clients"
of=gpus

check "notes pass: loss must be seen" 0 'mL .* 2 records lost here' "$grparse" --ctx 6 gpus
check "--limit is said" 0 'Stopped after 3 events \(--limit\)' "$grparse" --limit 3 gpus
absent "and nothing of what was not read" 'Sequence:|0 bytes'
check "but not if there were fewer" 0 'Events' "$grparse" --limit 99 gpus
absent "in the summary" Stopped
check "the summary is of what passed" 0 '^Events \(gpus\): 7 entries' "$grparse" --ring 1 gpus
grep -q '^Jobs (gpus): 1 completed, 0 incomplete' out
result $? "and so are its jobs"
check "types do not cut jobs" 0 '^Jobs \(gpus\): 1 completed, 0 incomplete' \
	"$grparse" --ring 1 --type submit gpus
check "two captures keep apart" 0 '' "$grparse" -q -f '%a %x:%S\n' --ring gfx --ctx 5 two gpus
[ "$(grep -c '^Q' out)" = 3 ]
result $? "though their contexts have the same numbers"

# A filter that matches nothing.
check "a ring that is not there" 2 \
	'^grparse: --ring gfx9: not in the capture; its rings, as device/name \(id, engine class\): card0/gfx \(1, render\), card0/copy \(2, copy\), 0000:03:00.0/gfx \(3, [a-z]+\)$' \
	"$grparse" --ring gfx9 gpus
[ ! -s out ]
result $? "prints nothing else"
check "nor into a file" 2 'gfx9' "$grparse" -o absent -d absent.bin --ring gfx9 gpus
[ ! -e absent ] && [ ! -e absent.bin ]
result $? "which is not made"
check "one of two" 2 '^grparse: --ring gfx9, --dev card7, --engine video_encode: not in' \
	"$grparse" --ring gfx,gfx9 --dev card7 --engine video_encode,copy gpus
check "of two captures one has it" 0 '' "$grparse" -q --ring copy two gpus
check "what was not read may have it" 0 'Stopped' "$grparse" --ring gfx,gfx9 --limit 1 gpus
check "rings of none" 2 'name \(id, engine class\): none that is described' "$grparse" --ring gfx none
check "a ring's id that is not there" 2 '--ring 77: not in the capture' "$grparse" -q --ring 77 gpus
check "a ring that is there without events of it" 0 '' "$grparse" -q --ring copy --until 1ms gpus
absent "is no reason to warn" 'not in'
check "one that nobody described either" 0 '' "$grparse" -q --ring 9 gpus
absent "is no reason to warn" 'not in'
check "a device that is not there" 2 '--dev card7: not in the capture' "$grparse" -q --dev card7 gpus
on err check "a process that is not there" 0 '--pid 5: no event of such a thread or process' \
	"$grparse" -q --pid 5 gpus
on err check "one that has none on this ring" 0 '--pid browser: no event of such a thread or process' \
	"$grparse" -q --pid browser --ring copy gpus
on err check "a context that is not there" 0 '--ctx 55: no event of such a context' "$grparse" -q --ctx 55 gpus
check "an engine class that nobody has" 2 \
	'^grparse: --engine warp: not in the capture; its rings, .*: card0/gfx \(1, render\), ' "$grparse" --engine warp gpus
check "a ring and an engine class that are not of one ring" 2 \
	'^grparse: --ring 1, --engine copy: no ring of the capture has all of these; its rings, ' \
	"$grparse" --ring 1 --engine copy gpus
check "nor have a ring and a device" 2 '--ring copy, --dev 1: no ring of the capture has all' "$grparse" --ring copy --dev 1 gpus
check "a ring that nobody described has no engine class" 2 '--ring 9, --engine copy: no ring of the capture has all' \
	"$grparse" --ring 9 --engine copy gpus
"$workload" --jobs 3000 --cpus 2 --stream whole 2> err
check "long before the end" 2 'gfx9' "$grparse" --csv --ring 1,gfx9 whole
[ ! -s out ]
result $? "prints no part"
check "from a pipe it is said at the end" 2 'gfx9: not in' \
	sh -c "\"$grparse\" -q --csv --ring 1,gfx9 - < whole"
check "unknown type" 2 '--type: there is no event "bio"' "$grparse" --type bio gpus
check "--ring 0" 2 'there is no ring 0' "$grparse" --ring 0 gpus
check "--ring without a word" 2 '--ring: a word is missing' "$grparse" --ring 1,,2 gpus
shows "--pid is the name of a process" \
	'Q 5:1,I 5:1,D 5:1,WE 5:1,WE 7:1,FS 50:1,C 5:1,WX 5:1,WX 7:1' --pid game
shows "or of several, and numbers" "$gfx3" --pid browser,4711 --ring 3
shows "--pid is the name of a thread" "Q 6:1" --pid loader
check "--pid that is no pid" 2 '--pid: "99999999999" is not a number from 0 to 4294967295' "$grparse" --pid 99999999999 gpus
check "--pid below 0" 2 '--pid: "-5" is not a number from 0 to 4294967295' "$grparse" --pid -5 gpus
check "--pid of letters" 2 '--pid gmae: not in the capture \(did you mean game\?\); its processes: ' "$grparse" --pid gmae gpus
check "--ctx beyond 64 bits" 2 'is not a number' "$grparse" --ctx 18446744073709551616 gpus
check "--since of letters" 2 '--since wants a time' "$grparse" --since now gpus
check "--until in hours" 2 '--until wants a time' "$grparse" --until 1h gpus
on err check "--since behind the end" 0 '^grparse: gpus: ends [0-9.]+ ms after its start, before the chosen interval begins: nothing of it is shown$' "$grparse" --since 2 gpus
check "an interval that is over" 0 'Events \(gpus\): [1-9]' "$grparse" --until 2 gpus
absent "is not told" 'interval'
check "--since after --until" 2 'nothing can be between' "$grparse" --since 2 --until 1 gpus
check "--limit 0" 2 '--limit wants a number' "$grparse" --limit 0 gpus

# -d with filters can be read again, and nothing was lost by it.
"$grparse" -q -O --ring 3 -d part gpus 2> err
"$grparse" -q -f '%a %x:%S\n' part > lines.part 2> err
"$grparse" -q -f '%a %x:%S\n' --ring 3 gpus > lines.ring 2> err
# A LOST comes after the last record of its CPU, which may be another now.
sort lines.part > part.sorted
sort lines.ring > ring.sorted
same "-d keeps what passed" part.sorted ring.sorted
check "-d loses nothing" 0 'Lost: 2 records in 1 places' "$grparse" part
"$grparse" -q -O --limit 2 -d part gpus
[ "$("$grparse" -q part | wc -l)" = 2 ]
result $? "-d stops at --limit"
check "--strict and what was not shown" 3 '' "$grparse" -q --strict --ring 2 gpus
finish
