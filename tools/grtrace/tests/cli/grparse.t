#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output of grparse, and its sentences about wrong input.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$synth" "$fixtures/two_cpus.txt" two
"$synth" --stream "$fixtures/two_cpus.txt" two.stream
"$synth" "$fixtures/loss.txt" loss
"$synth" "$fixtures/future.txt" future
"$synth" "$fixtures/virtio.txt" virtio

# Input by every name it can have.
check "base name" 0 'Events \(two\): 17 entries' "$grparse" two
check "name of one CPU file" 0 '17 entries' "$grparse" two.grtrace.1
check "-i" 0 '17 entries' "$grparse" -i two
check "-D" 0 '17 entries' "$grparse" -D "$work" two
check "single file" 0 '17 entries' "$grparse" two.stream
check "two captures" 0 'Events \(loss\): 5 entries' "$grparse" two -i loss
"$grparse" -q two > lines
"$grparse" -q two.stream > lines.stream
same "the stream gives the same lines as the CPU files" lines lines.stream
"$grparse" -q - < two.stream > lines.stdin
same "so does stdin" lines lines.stdin
mkfifo fifo
cat two.stream > fifo &
"$grparse" -q fifo > lines.fifo
same "so does a FIFO" lines lines.fifo

# Lines.
check "Q" 0 '^  0,1 +0 +2 +0\.000003000 +697  Q   G gfx 5:1 \[glxgears\]$' \
	"$grparse" two
check "DP" 0 ' DP   G gfx 5:1 <- 4:9$' "$grparse" two
check "D" 0 '  D   G gfx 5:1 -> 7:1$' "$grparse" two
check "C" 0 '  C   G gfx 5:2 \[-5\]$' "$grparse" two
check "ER" 0 ' ER   G gfx 5:2 timeout -110$' "$grparse" two
check "CS" 0 ' CS   G gfx 5:2 => 8:1$' "$grparse" two
check "WE" 0 ' WE   - 5:1 \[glxgears\]$' "$grparse" two
check "m" 0 '  m   - frame 1 begins$' "$grparse" two
absent "RING and TASK are quiet" 'mT'
check "and shown with -v" 0 'mT   - task 697 is glxgears of process 690' \
	"$grparse" -v two
check "Q with a fence of its own" 0 'controlq 20:1 -> 21:1 \[Xwayland\]' \
	"$grparse" virtio
check "64-bit contexts" 0 'compute 4294967301:1' "$grparse" future
check "unknown records are counted" 0 \
	'Skipped: 5 records of unknown type, 1 unknown tails' "$grparse" future
check "and are no loss, wherever they have numbers" 0 '^Lost: 0 records' "$grparse" -i future --strict
check "loss is shown in its place" 0 'mL   - 4 records lost here' "$grparse" loss
check "and summed up" 0 '^Lost: 1,014 records in 3 places' "$grparse" loss
on err check "with advice" 0 'larger buffer size \(-b\)' "$grparse" loss
check "--strict" 3 '' "$grparse" --strict loss
cat > late.txt <<'END'
cpu 0
packet
submit pid=1 ctx=5 ring=1 seqno=1
packet lost=7
END
"$synth" late.txt late > /dev/null
check "--strict and a loss that only the kernel's count knows" 3 \
	'and 7 more at the end' "$grparse" --strict late
check "--strict without loss" 0 'Lost: 0 records' "$grparse" --strict two

# The task that ran when a job failed is anybody.
cat > fails.txt <<'END'
cpu none
task pid=7 tgid=7 comm=game
task pid=90 tgid=90 comm=kworker
cpu 0
submit pid=7 ctx=5 ring=1 seqno=1
complete pid=90 ctx=5 ring=1 seqno=1 arg=-5
submit pid=7 ctx=5 ring=1 seqno=2
complete pid=90 ctx=5 ring=1 seqno=2
END
"$synth" fails.txt fails > /dev/null
check "a failure is of the process that submitted" 0 \
	'^game +7 +2 +2 +0 +1 ' "$grparse" -O -S f fails
check "and not of who was there" 0 '^kworker +90 +0 +0 +0 +0 ' "$grparse" -O -s fails

# Sampling, slow jobs, a snapshot.
"$synth" "$fixtures/sampling.txt" sampled
check "a change of sampling" 0 'mN   - from here 1 job of 4 is recorded, before it was every job: the channel fills up \(80 % full\)$' \
	"$grparse" sampled
check "slow in the queue" 0 '  B   G gfx 5:1 \[slow queue\]$' "$grparse" sampled
check "slow in execution" 0 '  E   G gfx 5:1 \[slow exec\]$' "$grparse" sampled
check "both" 0 ' FS   - 7:4 \[slow queue\] \[slow exec\]$' "$grparse" sampled
check "%w" 0 '^B \[slow queue\]$' "$grparse" -q -f '%a%w\n' sampled
check "%b" 0 '^ER 1$' "$grparse" -q -f '%a %b\n' sampled
check "loss by reason" 0 'mL   - 10 records .* \(3: buffer full; 5: rate limit; 1: backpressure\)$' \
	"$grparse" sampled
check "a loss that tells no reason" 0 'mL   - 2 records lost here .* 0\.000814700$' "$grparse" sampled
check "totals are estimates" 0 '^Sampled 1/1 to 1/4, 2 changes: totals are estimates$' \
	"$grparse" sampled
grep -Eq '^ Queued: +11 ' out && grep -Eq '^ Errors: +1 ' out
result $? "and weighted, but for what is never sampled"
check "entries are not" 0 'Events \(sampled\): 14 entries' "$grparse" sampled
check "jobs that were cut" 0 'Jobs \(sampled\): 5 completed, 1 incomplete, 6 cut by a change of sampling' \
	"$grparse" sampled
check "snapshot and clock" 0 '^Snapshot: taken at 0\.000899000 \(slow_exec\)$' "$grparse" sampled
grep -q '^Clock: boot$' out
result $? "the clock is named"
check "both are quiet otherwise" 0 'Total' "$grparse" two
absent "in the summary" 'Sampled|Snapshot|Clock'
"$grparse" -q sampled > lines.sampled
"$grparse" -q -O -d sampled.copy sampled
"$grparse" -q sampled.copy > lines.copied
same "-d keeps all of it" lines.sampled lines.copied

# Options.
check "-f" 0 '^0\.000003000, 697, glxgears, Q$' \
	"$grparse" -q -f '%T.%t, %p, %C, %a\n' two
check "-F" 0 '^C done 5:1$' "$grparse" -q -F 'C,%a done %x:%S\n' two
check "-F of two letters" 0 '^DP 4:9$' "$grparse" -q -F 'DP,%a %f\n' two
check "bad escape" 2 'no escape \\x' "$grparse" -f '\x' two
check "-F before -f is kept" 0 '^C done 5:1$' "$grparse" -q -F 'C,%a done %x:%S\n' -f '%a\n' two
check "-f for the others" 0 '^Q$' "$grparse" -q -F 'C,%a done %x:%S\n' -f '%a\n' two
check "bad action" 2 '-F wants an action' "$grparse" -F 'ZZ,%a' two
check "-a by letter" 0 'Events \(two\): 2 entries' "$grparse" -a q two
check "-a by name" 0 'Events \(two\): 4 entries' "$grparse" -a submit -a COMPLETE two
check "-a by blkparse's word" 0 'Events \(two\): 4 entries' "$grparse" -a queue,issue two
check "a word of blkparse for requests" 2 'there is no event "barrier"' "$grparse" -a barrier two
check "%e is of errors only" 0 '^ER 4608$' "$grparse" -q -f '%a %e\n' virtio
absent "and no argument" '^[QE] [1-9]'
check "the argument" 0 '^I 1$' "$grparse" -q -f '%a %n\n' two
check "--help has bits for -A" 0 '^  D   commit       5     20$' "$grparse" --help
check "-A" 0 'Events \(two\): 2 entries' "$grparse" -A 0x2 two
check "bad -a" 2 'there is no event "bio"' "$grparse" -a bio two
check "bad -A" 2 '-A wants' "$grparse" -A xyz two
check "-w" 0 'Events \(two\): 4 entries' "$grparse" -w 0.00006:0.000144 two
check "bad -w" 2 '-w wants' "$grparse" -w 2:1 two
check "-O" 0 'Total \(two\)' "$grparse" -O two
absent "-O prints no lines" '  Q   G'
check "-q" 0 '  Q   G' "$grparse" -q two
absent "-q prints no tables" 'Total'
check "-s" 0 '^glxgears +690 +2 +2 +1' "$grparse" -s two
check "-o" 0 '' "$grparse" -q -o file two
same "-o writes the same" file lines
check "--help" 0 '%D  device and ring' "$grparse" --help
check "--help names actions" 0 '  WE  wait_enter' "$grparse" --help
check "-V" 0 '^grparse [0-9.]+ \(stream format 0\.8\)' "$grparse" -V
check "no capture named" 2 'name a capture' "$grparse"
check "unknown option" 2 'unknown option -Z' "$grparse" -Z two
check "unknown long option" 2 'unknown option --zap' "$grparse" --zap two
check "option without its argument" 2 'needs an argument' "$grparse" -o
check "start of the trace" 0 'Trace started at Tue Nov 14 22:13:20 2023' \
	"$grparse" two
check "thousands" 0 'Lost: 1,014' "$grparse" loss

# -d
"$grparse" -q -O -d copy two
"$grparse" -q copy > lines.copy
same "-d can be read again" lines lines.copy
"$grparse" -q -O -d - two | "$grparse" -q - > lines.pipe
same "-d - into -i -" lines lines.pipe
check "-d - and text together" 2 'cannot share' "$grparse" -d - two
check "-d of a part" 0 '' "$grparse" -q -O -a Q -d part two
check "is not lossy" 0 'Lost: 0 records' "$grparse" --strict part

# Wrong input: a sentence with file, offset and reason.
check "no such capture" 1 'nope: no such capture' "$grparse" nope
mkdir dir
check "a directory" 1 'dir: is a directory' "$grparse" dir
: > empty
check "an empty file" 1 'empty: the capture is empty' "$grparse" empty
head -c 1000 /bin/sh > alien
check "no capture" 1 'alien: offset 0: this is not a grtrace capture' "$grparse" alien
for word in "$grparse" "$grtrace report" "$grtrace timeline" "$grtrace explain 1:1"; do
	for file in alien empty; do
		# shellcheck disable=SC2086
		run $word $file
		[ "$code" = 1 ] && [ ! -s out ]
		result $? "${word##*/}: no figures of one that is $file"
	done
done
"$synth" "$fixtures/two_cpus.txt" two
check "but of one beside it" 1 '' "$grparse" alien two
grep -q '^Total (two)' out && ! grep -q '^Total (alien)' out
result $? "those are printed"
for version in '2 0' '1 0' '0 7' '0 9'; do
	printf 'cpu 0\npacket major=%s minor=%s\nsubmit\n' "${version% *}" "${version#* }" | "$synth" --stream - other
	check "version $version" 1 "offset 0: the capture has format version ${version% *}\.${version#* }, this program reads 0\.8: use the grparse of the kernel" \
		"$grparse" other
done
printf 'cpu 0\npacket magic=0x47525452\nsubmit\n' | "$synth" --stream - swapped
check "big endian" 1 'offset 0: the bytes are in big-endian order' \
	"$grparse" swapped
cp two.grtrace.0 hole.grtrace.0
cp two.grtrace.1 hole.grtrace.2
check "a missing CPU file" 1 'hole.grtrace.1 is missing, though there is one for CPU 2: what CPU 1 recorded' \
	"$grparse" hole
grep -q '  Q   G' out
result $? "and the others are shown"
check "disk full" 1 'cannot write: No space left' "$grparse" -o /dev/full two
check "disk full under -d" 1 'cannot write: No space left' \
	"$grparse" -O -d /dev/full two
check "output that cannot be made" 1 'cannot create' "$grparse" -o no/such/dir two

# Cut anywhere: the whole records before the cut are shown, and a cut inside a record is
# reported. Where they end is counted here: a record begins with its type and its size, and
# events and messages have a line.
size=$(wc -c < two.stream)
od -An -v -w1 -t u1 two.stream | awk '
	{ byte[NR - 1] = $1 + 0 }
	END {
		while (at < NR) {
			type = byte[at] + 256 * byte[at + 1]
			at += byte[at + 2] + 256 * byte[at + 3]
			print at, type < 64 || type == 262 ? "line" : "note"
		}
	}' > ends
bad=0
cut=1
while [ "$cut" -lt "$size" ]; do
	head -c "$cut" two.stream > part.cut
	"$grparse" -q part.cut > out 2> err
	code=$?
	if grep -q "^$cut " ends; then
		[ "$code" = 0 ] || bad=$((bad + 1))
	else
		[ "$code" = 1 ] && grep -q 'part.cut: .*offset [0-9]*' err || bad=$((bad + 1))
	fi
	head -n "$(awk -v cut="$cut" '$1 <= cut && $2 == "line"' ends | wc -l)" lines > want
	cmp -s want out || bad=$((bad + 1))
	cut=$((cut + 13))
done
[ "$bad" = 0 ] && [ "$(grep -c line ends)" = "$(wc -l < lines)" ]
result $? "cut at every 13th byte"

# One byte changed anywhere: never worse than a sentence.
bad=0
at=0
while [ "$at" -lt "$size" ]; do
	cp two.stream flip
	printf '\377' | dd of=flip bs=1 seek="$at" conv=notrunc 2> /dev/null
	"$grparse" flip > out 2> err
	code=$?
	[ "$code" -le 1 ] || bad=$((bad + 1))
	at=$((at + 17))
done
[ "$bad" = 0 ]
result $? "every 17th byte changed"

# Damage in the middle: what comes before and after is shown.
cp two.grtrace.0 hurt.grtrace.0
cp two.grtrace.1 hurt.grtrace.1
printf 'session 0x5eed\ncpu 0\npacket cseq=20 base_gseq=90\nsubmit ctx=99 seqno=99 gseq=90\n' |
	"$synth" --stream - tail
{ printf 'garbage!garbage!'; cat tail; } >> hurt.grtrace.0
check "damage in the middle" 1 \
	'hurt.grtrace.0: damaged at offset [0-9]+: .*bytes skipped, going on' \
	"$grparse" hurt
grep -q 'gfx 5:1' out && grep -q '99:99' out
result $? "both sides of it are shown"

finish
