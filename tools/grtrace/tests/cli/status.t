#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# grtrace status and grtrace snapshot, against a directory of
# plain files in place of debugfs.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"

fresh

# ---------------------------------------------------------------------- status

check_word 'state' 0 '^state idle$' status
check_word 'the module has no version yet' 0 '^version module NA \(no session has run\), tools 0\.1\.0$' status
check_word 'nor in JSON' 0 '^ "module": null,$' status --json
# metadata VERSION: as the module writes it, from the header's words.
metadata()
{
	python3 -c 'import struct, sys
text = f"module {sys.argv[1]}\nclass 0 unknown\n".encode().ljust(48, b"\0")
sys.stdout.buffer.write(struct.pack("<HHIHHIQQQQQII", 0x100, 64, 0x52545247, 0, 8, 2**32 - 1, 1, 0, 0, 0, 0, 0, 0))
sys.stdout.buffer.write(struct.pack("<HHI", 0x102, 8 + len(text), 0) + text)' "$1" > "$work/d/grtrace/metadata"
}
metadata 0.1.0
check_word 'both versions' 0 '^version module 0\.1\.0, tools 0\.1\.0$' status
! grep -q DIFFER "$work/out"
result $? 'which are equal'
metadata 0.0.9
check_word 'different versions' 0 '^THEY DIFFER: install the tools that came with the module, or' status
check_word 'both in JSON' 0 '^ "module": "0\.0\.9",$' status --json
check_word 'and the other' 0 '^ "tools": "0\.1\.0",$' status --json
check_word 'all defaults' 0 '^config all defaults$' status
check_word 'rings in columns' 0 '^2   mock0         grtrace_mock' status
check_word 'counters' 0 '^offered +30$' status
check_word 'that add up' 0 '^offered 30 = written 30$' status
sed -i 's/^sample=.*/sample=4/; s/^filter_engine_mask=.*/filter_engine_mask=0x7f/' \
	"$work/d/grtrace/config"
check_word 'what is not the default' 0 '^config sample=4 \(default 1\)$' status
! grep -q filter_engine_mask "$work/out"
result $? 'but not a mask that lets all pass'
printf '%s\n' 'offered 30' 'written 12' 'filtered_type 10' 'sampled_out 5' \
	'rate_limited_drops 3' 'lost 3' > "$work/d/grtrace/stats"
check_word 'the reasons' 0 \
	'^offered 30 = written 12 \+ filtered_type 10 \+ sampled_out 5 \+ rate_limited_drops 3$' \
	status
sed -i 's/^written 12/written 11/' "$work/d/grtrace/stats"
check_word 'counters that do not' 0 '^DOES NOT ADD UP: offered 30, but .* = 29$' status
! grep -q 'on their way' "$work/out"
result $? 'which is no excuse at rest'
set_state running
check_word 'but may be one in a session' 0 'may be on their way' status
check_word '--json' 0 '"state": "running"' status --json
check_word '--json has the configuration' 0 '"config": \{"mode": "stop", .*"sample": 4' \
	status --json
check_word '--json says whether they add up' 0 '"adds_up": false' status --json

# ----------------------------------------------------------------------- views

fake=$work/d/grtrace
printf 'lt_64,lt_128,ge_128\n3,60,0\n' > "$fake/latency_hist"
printf 'lt_16,lt_32,ge_32\n0,0,0\n' > "$fake/size_hist"
printf 'result,events\nwritten,40\nfiltered,20\n' > "$fake/result_hist"
printf 'second,offered,written\n7,100,90\n8,5,5\n' > "$fake/sec_stats"
printf 'cpu,cseq\n0,12\n' > "$fake/pc_cseq"
printf 'type,name,letter,events\n1,submit,Q,9\n' > "$fake/events_by_type"
check_word 'latency_hist' 0 '^    < 64 ns   3  ##$' status --view latency_hist
check_word 'its greatest' 0 '^   < 128 ns  60  #{40}$' status --view latency_hist
check_word 'its last' 0 '^  >= 128 ns   0$' status --view latency_hist
check_word '--csv' 0 '^3,60,0$' status --view latency_hist --csv
check_word 'size_hist' 0 'nothing was written' status --view size_hist
check_word 'result_hist' 0 '^  filtered  20  #{20}$' status --view result_hist
check_word 'sec_stats' 0 '^7       100      90$' status --view sec_stats
check_word 'pc_stats' 0 '^cpu  offered  written' status --view pc_stats
check_word 'pc_cseq' 0 '^0    12$' status --view pc_cseq
check_word 'events_by_type' 0 '^1     submit  Q' status --view events_by_type
check_word 'rings' 0 '^1   0000:00:02.0  i915' status --view rings
check_word 'no view' 2 "'stats' is not a view; there are: latency_hist" status --view stats
rm "$fake/sec_stats"
check_word 'one this kernel has not' 1 'sec_stats: No such file' status --view sec_stats
: > "$fake/pc_cseq"
check_word 'an empty one' 1 'pc_cseq: there is no header line' status --view pc_cseq

# ------------------------------------------------------------------- snapshots

"$synth" --stream "$here/../fixtures/sampling.txt" "$work/stream"
"$synth" "$here/../fixtures/sampling.txt" "$work/files"

fresh
on err check_word 'takes one' 0 'a snapshot was taken; grtrace snapshot -o BASE saves it' snapshot
expect 'by the switch' "$(state)" = snapshot
set_state running
cp "$work/stream" "$work/d/grtrace/snapshot"
on err check_word 'saves the one there is' 0 'the snapshot \(slow_exec\) was saved: [0-9]+ bytes; grparse -i snap$' \
	snapshot -o snap
expect 'and takes no other' "$(state)" = running
run "$grparse" -q -i snap
"$grparse" -q -i "$work/files" 2> "$work/err" | cmp -s - "$work/out"
result $? 'grparse reads it as it reads CPU files'
on err check_word '--take takes another' 0 'was saved' snapshot --take -o snap
expect 'before it saves' "$(state)" = snapshot
on err check_word '--discard after saving' 0 'was saved' snapshot -o snap --discard
expect 'frees it' "$(state)" = discard
set_state running
check_word '--discard alone' 0 '' snapshot --discard
absent 'prints nothing' '.'
expect 'only frees' "$(state)" = discard
# All but the boot id, 16 bytes behind 104, which the kernel leaves zeros.
without_boot_id()
{
	head -c 104 "$1"
	tail -c +121 "$1"
}
run "$grtrace" snapshot -r "$work/d" --host - -o -
without_boot_id "$work/out" > "$work/saved"
without_boot_id "$work/stream" > "$work/kept"
expect '-o - is the stream' -s "$work/saved"
run cmp "$work/saved" "$work/kept"
expect 'to the byte' "$code" = 0
run "$grtrace" snapshot -r "$work/d" -o -
id="$(tail -c +105 "$work/out" | head -c 16 | od -An -tx1 | tr -d ' \n')"
expect 'with the boot id of this machine' "$id" = "$(tr -d - < /proc/sys/kernel/random/boot_id)"
on err check_word '-D' 0 'grparse -i sub/snapshot$' snapshot -D sub
expect 'puts it there' -s sub/snapshot.grtrace.1

fresh
check_word 'none, and none can be taken' 1 'there is no snapshot' snapshot -o snap
expect 'though it was tried' "$(state)" = snapshot
expect 'leaves no file' "$(echo snap*)" = 'snap*'
rm "$work/d/grtrace/snapshot"
check_word 'a kernel without snapshots' 1 'snapshot: No such file' snapshot -o snap
fresh
head -c 100 "$work/stream" > "$work/d/grtrace/snapshot"
check_word 'one that is cut' 1 'damaged at byte [0-9]+: it ends inside a record' \
	snapshot -o snap
cp "$work/stream" "$work/d/grtrace/snapshot"
check_word 'no place for it' 1 'cannot write .*gone/x.grtrace.0' snapshot -o gone/x

finish
