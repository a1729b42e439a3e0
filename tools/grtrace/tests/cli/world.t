#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Refusals of the world outside: reads and writes that fail, a full disk, a file system
# without O_TMPFILE, a directory or a FIFO as input, programs that die, a kernel that says no.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"

# refused CALL TEST ERROR COMMAND...: see refuse.py
refused()
{
	python3 -B "$here/refuse.py" "$@"
}

# ------------------------------------------------------------------------------ a session

fresh
set_state running
long=$(head -c 400 /dev/zero | tr '\0' x)
for error in E2BIG:'longer than [0-9]+ bytes' EINVAL:'one line without control' EIO:'msg: Input/output error'; do
	check "a message: ${error%%:*}" 1 "the message was not recorded: .*${error#*:}" \
		refused write 'arg2>=300' "${error%%:*}" "$grtrace" msg -r "$work/d" "$long"
done

fresh
on err check_word "another program stops the session" 0 'another program stopped the session' record -w 30 -- \
	sh -c "echo stopped > '$work/d/grtrace/control'; exec sleep 20"

fresh
rm "$work/d/grtrace/trace0"
mkfifo "$work/d/grtrace/trace0"
exec 8<> "$work/d/grtrace/trace0"
check_word "EAGAIN of a trace file is nothing to read" 0 'Total:' record -w 1
[ "$(cat all.grtrace.1)" = 'METADATApackets of cpu 1' ]
result $? "of other CPUs all is saved"
printf 'packets of cpu 0' >&8
check_word "and what comes later is read" 0 'Total:' record -- sleep 0.1
grep -q 'packets of cpu 0' all.grtrace.0
result $? "and saved"
exec 8>&-

fresh
ln -sf /proc/self/mem "$work/d/grtrace/trace1"
check_word "EIO of a trace file" 1 'trace1: Input/output error' record -w 1
expect "the session is over then" "$(state)" = stop
fresh
check "no thread" 1 'cannot start the thread of CPU 0: Resource temporarily unavailable' \
	refused clone3 any EAGAIN "$grtrace" record -r "$work/d" -w 1
expect "no session goes on" "$(state)" = stop
check "no signalfd" 1 'signalfd: Too many open files' refused signalfd4 any EMFILE "$grtrace" record -r "$work/d" -w 1

fresh
printf '%s\n' cpu,offered,written,notes,lost,lost_notes,bytes 0,10,10,1,0,0,1000 1,20,20,1,0,3,2000 > "$work/d/grtrace/pc_stats"
check_word "--strict and lost notes" 3 'Total:' record --strict -- true
check_word "without --strict" 0 'Total:' record -- true
# Lost events or lost notes of one CPU of two are enough.
while read -r first second; do
	printf '%s\n' cpu,offered,written,notes,lost,lost_notes,bytes "0,10,10,1,$first,1000" "1,20,20,1,$second,2000" > "$work/d/grtrace/pc_stats"
	check_word "--strict, lost and lost notes of two CPUs: $first and $second" 3 'Total:' record --strict -- true
done << 'LOSSES'
1,0 0,0
0,1 0,0
0,0 1,0
0,0 0,1
LOSSES
fresh
check_word "--strict, and nothing was lost" 0 'Total:' record --strict -- true

# --------------------------------------------------------- a file system without O_TMPFILE

cd "$work" || exit 1
"$synth" "$fixtures/stages.txt" stages
cat > three.txt << 'TRACE'
            game-70      [000] .....    10.000100: drm_sched_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:0, hw job count:0
   kworker/u8:0-12       [001] .....    10.000300: drm_run_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:1, hw job count:0
TRACE
cat > outputs << 'OUTPUTS'
grparse -q -o FILE stages
grparse -q -O -d FILE stages
grtrace report -o FILE stages
grtrace report -o /dev/null --csv FILE stages
grtrace report -o /dev/null --json FILE stages
grtrace report -o /dev/null --groups-csv FILE stages
grtrace report -o /dev/null --delays-csv FILE stages
grtrace report -o /dev/null --depth-csv FILE stages
grtrace report -o /dev/null --html FILE stages
grtrace diff -o FILE stages stages
grtrace verify -o FILE stages
grtrace timeline -o FILE stages
grtrace explain -o FILE 5:1 stages
grtrace export --to csv -o FILE stages
grtrace export --to json -o FILE stages
grtrace export --to text -o FILE stages
grtrace export --to perfetto -o FILE stages
grtrace merge -q -o FILE stages
grtrace import -q -o FILE three.txt
OUTPUTS
no_tmpfile='openat arg2&0x400000 EOPNOTSUPP'
# shellcheck disable=SC2086
refused $no_tmpfile python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_WRONLY)' 2> err
grep -q 'not supported' err
result $? "there is no O_TMPFILE"
# All of it under one filter, which programs inherit.
cat > without.sh << 'SCRIPT'
mkdir new
cd new || exit
ln -s ../stages.grtrace.* ../three.txt .
while read -r nth program words; do
	echo old > "$nth"
	"$build/$program" $(echo "$words" | sed "s/FILE/$nth/") > "$nth.out" 2>&1
	echo "$? $(stat -c %a "$nth")" > "$nth.code"
	cp "$nth" "$nth.before"
	sh -c 'ulimit -f 0; trap "" XFSZ; exec "$@"' - "$build/$program" $(echo "$words" | sed "s/FILE/$nth/") > /dev/null 2>&1
	echo "$?" > "$nth.full"
done < ../numbered
SCRIPT
awk '{ print NR, $0 }' outputs > numbered
export build
# shellcheck disable=SC2086
refused $no_tmpfile sh without.sh > out 2> err
while read -r nth program words; do
	rm -f with
	echo old > with
	# shellcheck disable=SC2046
	run "$build/$program" $(echo "$words" | sed 's/FILE/with/')
	[ "$(cat "new/$nth.code")" = "$code $(stat -c %a with)" ] && [ "$code" = 0 ]
	result $? "no O_TMPFILE: $program $words"
	same "is the same file" with "new/$nth"
	[ "$(cat "new/$nth.full")" = 1 ] && cmp -s "new/$nth.before" "new/$nth"
	result $? "and stays as it was when the disk is full"
done < numbered
! ls new/*.part* > out 2>&1
result $? "and nothing else is left"

# ------------------------------------------------------------------------------ full disks

while read -r program words; do
	# shellcheck disable=SC2046
	check "full: $program $words" 1 'No space left on device' "$build/$program" $(echo "$words" | sed 's|FILE|/dev/full|')
done < outputs
for words in "grparse -q stages" "grparse --help" "grtrace --help" "grtrace report stages" "grtrace report --help" \
	"grtrace export --schema json" "grtrace import --events" "grtrace report --schema"; do
	# shellcheck disable=SC2016,SC2086
	check "full: $words on stdout" 1 'No space left on device' sh -c 'exec "$@" > /dev/full' - "$build"/$words
done

# ---------------------------------------------------------------------------- bad to read

mkdir folder
for words in grparse "grtrace report" "grtrace verify" "grtrace timeline" "grtrace export --to csv" "grtrace explain 5:1" \
	"grtrace diff stages" "grtrace merge -o new/x" "grtrace import -o new/x"; do
	stream=
	case $words in *verify) stream=out ;; esac
	# shellcheck disable=SC2086
	check "a read error: $words" 1 '/proc/self/mem.*Input/output error' "$build"/$words /proc/self/mem
	stream=
	# shellcheck disable=SC2086
	check "a directory: $words" 1 'folder: is a directory' "$build"/$words folder
done
[ ! -e new/x ]
result $? "and nothing is written"
"$synth" --stream "$fixtures/stages.txt" whole
mkfifo fifo
for words in "grparse -q" "grtrace report --json -" "grtrace verify" "grtrace timeline" "grtrace export --to csv" \
	"grtrace explain 5:1"; do
	cat whole > fifo &
	# shellcheck disable=SC2086
	check "a FIFO: $words" 0 '' "$build"/$words fifo
	wait
	sed -i 's/fifo/whole/g' out
	cp out got
	# shellcheck disable=SC2086
	run "$build"/$words whole
	same "is read as the file" out got
done

# -------------------------------------------------------------- programs that are not well

mkdir -p fake
printf 'PERFILE2 and no more' > perf.data
# fake NAME TEXT: a program of that name
fake()
{
	printf '#!/bin/sh\n%s\n' "$2" > "fake/$1"
	chmod +x "fake/$1"
}
# shellcheck disable=SC2016
fake perf 'echo half way >&2; kill -SEGV $$'
PATH=$PWD/fake:$PATH check "perf dies" 1 'perf.data: perf ended by signal 11: half way$' "$grtrace" import -o x perf.data
fake perf 'echo no such thing >&2; exit 3'
PATH=$PWD/fake:$PATH check "perf fails" 1 'perf.data: perf failed with status 3: no such thing$' "$grtrace" import -o x perf.data
gzip -c three.txt > three.gz
# shellcheck disable=SC2016
fake gzip 'kill -KILL $$'
PATH=$PWD/fake:$PATH check "gzip dies" 1 'three.gz: .*gzip' "$grtrace" import -o x three.gz
[ ! -e x ]
result $? "nothing is written then"
check "no socket to import by" 1 'three.txt: cannot import: Too many open files' \
	refused socketpair any EMFILE "$grparse" three.txt

finish
