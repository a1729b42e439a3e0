#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Stored captures are of the version that is read: a test of one that is refused would pass
# whatever it tests. upgrade.py, which makes them so, changes the version and no more.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

upgrade=$here/../upgrade.py

check "all stored captures are of this version" 0 '' python3 -B "$upgrade" --list "$here/.."
[ "$(grep -c '\.grtrace\.[0-9]*\(\.xz\)\? 0\.8$' out)" -ge 75 ]
result $? "which are at least 75"
: > none.grtrace.0
on out check "one that is not is found" 1 'none\.grtrace\.0' python3 -B "$upgrade" --list .
check "and cannot be upgraded" 1 '^none\.grtrace\.0: no packet of a version' python3 -B "$upgrade" none.grtrace.0
rm none.grtrace.0
check "nothing to do" 1 '^Rewrites stored captures' python3 -B "$upgrade"

# bytes WORD...: hexadecimal numbers, written out from the header, not by a program of ours.
bytes()
{
	python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(" ".join(sys.argv[1:])))' "$@"
}

# stream MAJOR-MINOR FEATURES: rubbish, a packet of tables, a packet with an IRQ that is cut.
stream()
{
	rest='01000000 0200000000000000 0000000000000000 0000000000000000 0000000000000000
		0000000000000000 00000000 01000000'
	bytes 47525452 00000000
	bytes 0001 4000 47525452 "$1" ffffffff "${rest#01000000}"
	bytes 0101 9800 01000000 0100000000000000 "$2" 0000000000000000 0000000000000000
	head -c 112 /dev/zero
	bytes 0001 4000 47525452 "$1" "$rest"
	bytes 0900 2000 00000000
}
stream 01000000 6f00000000010000 > old
stream 00000800 6600000000010000 > wanted
cp old new
check "from 1.0" 0 '' python3 -B "$upgrade" new
cmp new wanted > out 2>&1
result $? "version and features alone are changed"
check "once more" 0 '' python3 -B "$upgrade" new
cmp new wanted > out 2>&1
result $? "changes nothing"
# A packet inside a record's text, and one that is cut behind its header, are not rewritten.
{ cat old; bytes 0601 5000 000000000000000000000000 && head -c 64 old && bytes 0001 4800 && tail -c +13 old | head -c 60; } > odd
check "odd ones end" 0 '' timeout 20 python3 -B "$upgrade" odd
# lost MINOR SIZE REASONS: 5 events that were lost, in a packet of CPU 0 on a clock.
# shellcheck disable=SC2086 # of no words, or of several
lost()
{
	bytes 0001 4000 47525452 "0000$1" "00000000${rest#01000000}"
	bytes 0101 9800 "$4" 0100000000000000 2000000000000000 0000000000000000 0000000000000000
	head -c 112 /dev/zero
	bytes 0301 "$2" 00000000 0500000000000000 0700000000000000 0900000000000000 $3
}
lost 0200 2000 '' 0b000000 > short
lost 0800 3000 '00000000000000000000000000000000' 00000000 > wanted.lost
check "from 0.2" 0 '' python3 -B "$upgrade" short
cmp short wanted.lost > out 2>&1
result $? "a short LOST has reasons, of none; clock 11 is not known"
lost 0200 2000 '' 0b000000 | sed 's/\x20\(\x00\{7\}\)/\x10\1/' > clock
lost 0200 2000 '' 0b000000 > behind
check "no order=clock" 1 '^clock: its records have no gseq \(order=clock\)' python3 -B "$upgrade" clock behind
cmp behind wanted.lost > out 2>&1
result $? "but others behind it"
# seq HEAD: the rest of what is sequenced, of pid 7
seq()
{
	bytes "$1" 05000000 06000000 07000000
}
# fill N: zeroes
fill()
{
	head -c "$1" /dev/zero
}
# ring SIZE NAME: of virtio-gpu, by a name of 8 letters
ring()
{
	seq "0401$1" && bytes 03000000 00000000 && fill 32 && printf virtio_gpu && fill 14 && printf '%s' "$2" && fill 24
}
# task SIZE: a thread
task()
{
	seq "0501$1" && bytes 01000000 00000000 && printf game && fill $((12 + 0x${1%00} - 0x28))
}
# A thread, two clients of one slot, jobs of both, and a ring of virtio-gpu with a command.
jobs()
{
	bytes 0001 4000 47525452 "0000$1" "00000000${rest#01000000}"
	ring "$3" controlq
	[ "$3" = 7000 ] || fill 8
	task "$4"
	"$2"
}
before()
{
	seq 08012000 && bytes 0500000000000000 0c00000000000000
	seq 01002000 && bytes 05000000 01000000 01000000 0000 0900
	seq 08012000 && bytes 8500000000000000 0d00000000000000
	seq 01002000 && bytes 05000000 02000000 01000000 0000 0900
	seq 04002000 && bytes 05000000 02000000 01000000 0000 0900
	seq 01002000 && bytes 06000000 01000000 03000000 0000 0702
	seq 01002800 && bytes 06000000 02000000 03000000 0000 0702 08000000 09000000
	seq 07002000 && bytes 06000000 02000000 03000000 0000 0011
}
after()
{
	task 3000
	seq 01002800 && bytes 05000000 01000000 01000000 0000 0000 0c00000000000000
	task 3000
	seq 01002800 && bytes 05000000 02000000 01000000 0000 0000 0000000000000000
	seq 04002000 && bytes 05000000 02000000 01000000 0000 0900
	seq 01003800 && bytes 06000000 01000000 03000000 0000 0000 0000000000000000 00000000 00000000 07020000 00000000
	seq 01003800 && bytes 06000000 02000000 03000000 0000 0000 0000000000000000 08000000 09000000 07020000 00000000
	seq 07002800 && bytes 06000000 02000000 03000000 0000 0000 00110000 00000000
}
jobs 0300 before 7000 2800 > jobs.grtrace.0
jobs 0800 after 7800 3000 > wanted.jobs
check "from 0.3" 0 '' python3 -B "$upgrade" jobs.grtrace.0
cmp jobs.grtrace.0 wanted.jobs > out 2>&1
result $? "a SUBMIT has its client, and commands have their types"
# calls MINOR TYPE: an IOCTL between tables that name it, and another event.
calls()
{
	bytes 0001 4000 47525452 "0000$1" "00000000${rest#01000000}"
	bytes 0201 2000 00000000
	printf 'event %s ioctl IO 96\n\0\0\0' "$2"
	bytes "$3" 1000 000000000000000000000000 0e00 1000 000000000000000000000000
}
calls 0400 15 0f00 > ioctls
calls 0800 48 3000 > wanted.calls
check "from 0.4" 0 '' python3 -B "$upgrade" ioctls
cmp ioctls wanted.calls > out 2>&1
result $? "an IOCTL has its number"
head -c 64 wanted.jobs | sed 's/\x08/\x06/' > packet
{ cat packet && ring 7000 controlq && ring 7000 userq_gf; } > rings.grtrace.0
{ head -c 64 wanted.jobs && ring 7800 controlq && fill 8 && ring 7800 userq_gf && bytes 0a000000 00000000; } > wanted.rings
check "from 0.6" 0 '' python3 -B "$upgrade" rings.grtrace.0
cmp rings.grtrace.0 wanted.rings > out 2>&1
result $? "a RING has flags, of a user-mode queue where its name says so"
# tables MINOR SIZE RECORD TASK: what the kernel calls an ERROR, and a thread.
tables()
{
	bytes 0001 4000 47525452 "0000$1" "00000000${rest#01000000}"
	bytes 0201 "$3" 00000000
	printf 'event 13 error ER %s\nclass 3 unknown_xx\n' "$2"
	fill $((0x${3%00} - 46 - ${#2}))
	task "$4"
}
{
	tables 0700 40 3000 2800
	seq 0d003000 && bytes 05000000 01000000 03000000 0000 0000 02000000 c2ffffff 1122334455667788
} > errors
{
	tables 0800 128 3800 3000
	seq 0d008800 && bytes 05000000 01000000 03000000 0000 0000 02000000 c2ffffff && fill 88 &&
		bytes 1122334455667788
} > wanted.errors
check "from 0.7" 0 '' python3 -B "$upgrade" errors
cmp errors wanted.errors > out 2>&1
result $? "an ERROR may name a task, and a TASK a cgroup"
xz -k old
check "compressed" 0 '' python3 -B "$upgrade" old.xz
xz -dc old.xz | cmp - wanted > out 2>&1
result $? "it stays so"

# Captures that others recorded with 1.0, and the numbers that grparse printed then.
# was FOLDER CAPTURE RECORDS LOST SKIPPED
was()
{
	mkdir -p "$1"
	for file in "$here/../reviews/$1/$2".grtrace.*; do
		case $file in
		*.xz) xz -dc "$file" > "$1/$(basename "$file" .xz)" ;;
		*) cp "$file" "$1" ;;
		esac
	done
	run "$grparse" -s -D "$1" "$2"
	grep -q "^Records: $3 read in " out && grep -q "^Lost: $4 records" out &&
		grep -q "^Skipped: $5 records of unknown type, 0 unknown tails, 0 damaged bytes" out
	result $? "$1: $2 is read as before"
}
was hang-still-on module 17,537 0 0
was hang-still-on after 4 0 0
was inject hostile 328 0 1
was inject c1name 27 0 0
was packet-cut-out packet-cut-out 7,050 21 0

finish
