#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What grtrace's capture wing says and does, against a directory of plain files
# in place of debugfs. O is the build directory.

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/grtrace/tests/cli/fake_debugfs.sh
. "$here/fake_debugfs.sh"

grtrace=$(cd "${O:-$here/../../build}" && pwd)/grtrace
if [ ! -x "$grtrace" ]; then
	echo "Bail out! there is no $grtrace"
	exit 1
fi
number=0
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

result()
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
		return
	fi
	echo "not ok $number - $2"
	sed 's/^/# /' "$work/out" "$work/err"
	failed=$((failed + 1))
}

# Runs the rest of the arguments; output goes to $work/out and err, and the
# exit status to $code.
run()
{
	"$@" > "$work/out" 2> "$work/err" < /dev/null
	code=$?
}

# check NAME EXIT REGEX ARGS...: of grtrace with the fake directory; the regex
# is looked for in what it prints, on either stream.
check()
{
	name=$1 exit=$2 regex=$3
	shift 3
	case $1 in
	-*) run "$grtrace" -r "$work/d" "$@" ;;
	*)
		word=$1
		shift
		run "$grtrace" "$word" -r "$work/d" "$@"
		;;
	esac
	# The last word is there for a silent success to match.
	[ "$code" = "$exit" ] && echo end-of-output |
		cat "$work/out" "$work/err" - | grep -Eq -- "$regex"
	result $? "$name"
}

# expect NAME CONDITION...: a test(1) of what came out.
expect()
{
	name=$1
	shift
	test "$@"
	result $? "$name"
}

state()
{
	cat "$work/d/grtrace/control"
}

set_state()
{
	echo "$1" > "$work/d/grtrace/control"
}

# A fresh directory and a fresh place to write to.
fresh()
{
	rm -rf "$work/d" "$work/w"
	mkdir "$work/w"
	cd "$work/w" || exit 1
	fake_make "$work/d"
}

# until_true COMMAND...: waits, not for ever, until the command says yes.
until_true()
{
	tries=0
	until "$@"; do
		sleep 0.02
		tries=$((tries + 1))
		[ $tries -lt 250 ] || return 1
	done
}

fresh

# ------------------------------------------------------------ usage and help

run "$grtrace" --help
expect 'overview on stdout, exit 0' "$code" = 0 -a -s "$work/out" -a \
	! -s "$work/err"
run "$grtrace"
expect 'no arguments: overview on stderr, exit 2' "$code" = 2 -a \
	-s "$work/err" -a ! -s "$work/out"
check 'record --help' 0 'Usage: grtrace record' record --help
expect 'help is on stdout only' ! -s "$work/err"
check 'help names every blktrace letter' 0 '-I, --input-devs' record --help
check '-V' 0 '^grtrace [0-9.]+ \(stream format [0-9]+\.[0-9]+\)$' -V
check '-v' 0 '^grtrace [0-9]' record -v
check 'unknown word' 2 "'recrod' is no word" recrod
check 'unknown option' 2 'unknown option --frobnicate' record --frobnicate
check 'option of another word' 2 'unknown option -w' start -w 1
check '-l is not there yet' 2 'not there yet' -l
check '-h is not help' 2 '-h: .*not there yet.*--help' -h somewhere
check '-p is not there yet' 2 'not there yet' -p 8462
check '-b too small' 2 "-b: '3' is not 4 to 16384 KiB" -b 3
check '-b too large' 2 "-b: '16385' is not" -b 16385
check '-b no multiple of a page' 2 'no multiple of 4 KiB' -b 6
check '-b no number' 2 "-b: '512k'" -b 512k
check '-n too small' 2 "-n: '1' is not 2 to 1024" -n 1
check '-n empty' 2 "--num-sub-buffers: '' is not" --num-sub-buffers=
check '-w zero' 2 "-w: '0' is not 1 to" -w 0
check '-w negative' 2 "-w: '-1'" -w -1
run "$grtrace" -w
expect '-w without its argument' "$code" = 2
check '-a unknown event' 2 "'issue' is no event; there are: submit" -a issue
check '-A no hex' 2 "'xyz' is no mask" -A xyz
check '-A empty mask' 2 'would record nothing' -A 0
check '--mode unknown' 2 'neither stop nor overwrite' --mode often

# --------------------------------------------- no debugfs, no root, no module

run "$grtrace" record -r "$work/nowhere"
grep -q 'there is no debugfs here: mount -t debugfs' "$work/err"
result $? 'no debugfs: how to mount it'
expect 'no debugfs: exit 1' "$code" = 1

run env GRTRACE_DEBUGFS_UNCHECKED=0 "$grtrace" record -r "$work/d"
grep -q 'is not a debugfs' "$work/err"
result $? 'another file system is no debugfs'

mkdir "$work/bare"
run "$grtrace" record -r "$work/bare"
grep -q 'grtrace is not loaded: modprobe grtrace' "$work/err"
result $? 'module not loaded: modprobe'

mkdir "$work/locked"
fake_make "$work/locked"
chmod 700 "$work/locked"
if [ "$(id -u)" = 0 ]; then
	# The build directory may lie where only root can go.
	cp "$grtrace" "$work/grtrace"
	run setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$work/grtrace" record -r "$work/locked"
else
	chmod 0 "$work/locked"
	run "$grtrace" record -r "$work/locked"
	chmod 700 "$work/locked"
fi
grep -q 'permission denied: only root may, try sudo' "$work/err"
result $? 'no permission: sudo'

# -------------------------------------------------------- what stops a start

check 'unknown device: those there are' 1 \
	"there is no device 'card7'; there are: .*mock0" -d card7
check 'two devices' 1 'are two devices' -d mock0 -d 0000:00:02.0
check 'a list of devices that is not there' 1 'nowhere' -I "$work/nowhere"
check 'output into a place that is not there' 1 \
	'cannot write .*/gone/x.grtrace.0: No such file' -o "$work/gone/x"
expect 'and no session was started' "$(state)" = idle
check 'directory that cannot be made' 1 'cannot create the directory' \
	-D /proc/nothing/here
expect 'nor then' "$(state)" = idle

set_state running
check 'a session is running already' 1 \
	'already running.*grtrace record -k' -w 1
expect 'which goes on' "$(state)" = running
check '-k stops it' 0 'was stopped' -k
expect 'and it is stopped' "$(state)" = stop

# ----------------------------------------------------------------- recording

fresh
check 'record with -w' 0 '^=== all ===$' record -w 1
expect 'table as blktrace prints it' "$(sed -n 2p "$work/out")" = \
	'  CPU  0:                   10 events,        1 KiB data'
expect 'total as blktrace prints it' "$(tail -n 1 "$work/out")" = \
	'  Total:                    30 events (dropped 0),        1 KiB data'
expect 'metadata, packets, metadata in the lowest CPU' \
	"$(cat all.grtrace.0)" = 'METADATApackets of cpu 0METADATA'
expect 'metadata, packets in the others' \
	"$(cat all.grtrace.1)" = 'METADATApackets of cpu 1'
expect 'CPUs without a channel leave no file' \
	"$(echo all.grtrace.*)" = 'all.grtrace.0 all.grtrace.1'
expect 'the session was stopped' "$(state)" = stop

fresh
check 'PCI address in file names' 0 '=== 0000-00-02.0 ===' \
	-d 0000:00:02.0 -D sub -w 1
expect 'with - for :, in the directory of -D' -s sub/0000-00-02.0.grtrace.0
grep -qx 'filter_device=0000:00:02.0' "$work/d/grtrace/config"
result $? 'and the filter has the address'

fresh
check '-o -: statistics on stderr' 0 'Total:' -o - -w 1
case $(cat "$work/out") in
METADATApackets*packets*METADATA) true ;;
*) false ;;
esac
result $? '-o -: metadata, packets of all CPUs, metadata on stdout'

fresh
run sh -c '"$0" record -r "$1" -o - -w 9 | :' "$grtrace" "$work/d"
grep -q 'reader of stdout went away' "$work/err"
result $? 'a reader that goes away'
expect 'stops the session' "$(state)" = stop

fresh
ln -s /dev/full all.grtrace.1
check 'full disk: which file and how much of it is safe' 1 \
	'all.grtrace.1: No space left.*first 0 bytes are safe' record -w 9
expect 'full disk stops the session' "$(state)" = stop
expect 'the other file is kept whole' \
	"$(cat all.grtrace.0)" = 'METADATApackets of cpu 0METADATA'

# A limit of 1 block (512 bytes) is met while the channel is read.
fresh
head -c 100000 /dev/zero | tr '\0' x > "$work/d/grtrace/trace0"
run sh -c 'ulimit -f 1; exec "$0" record -r "$1" -w 9' "$grtrace" "$work/d"
grep -Eq 'all.grtrace.0: File too large: its first [1-9][0-9]* bytes' \
	"$work/err"
result $? 'file size limit: which file and how much of it is safe'
expect 'file size limit: exit 1' "$code" = 1
expect 'file size limit stops the session' "$(state)" = stop

fresh
check 'a program that fails' 7 'ended with status 7' \
	record -- sh -c 'echo ran > ran; exit 7'
expect 'it ran' "$(cat ran)" = ran
fresh
check 'a program killed by a signal' 137 'status 137' \
	record -- sh -c 'kill -9 $$'
fresh
check 'a program that is not there' 1 'cannot run the command: No such' \
	record -- "$work/no-such-program"
expect 'leaves no session' "$(state)" = stop

for signal in INT TERM HUP; do
	fresh
	"$grtrace" record -r "$work/d" > "$work/out" 2> "$work/err" &
	pid=$!
	until_true grep -q start "$work/d/grtrace/control"
	kill -$signal $pid
	wait $pid
	expect "SIG$signal ends it well" $? = 0 -a "$(tail -c 8 \
		all.grtrace.0)" = METADATA
done

fresh
mkfifo fifo
rm "$work/d/grtrace/trace0"
mv fifo "$work/d/grtrace/trace0"
exec 3<> "$work/d/grtrace/trace0" # both, so as not to wait for a reader
"$grtrace" record -r "$work/d" -o - > "$work/out" 2> "$work/err" &
pid=$!
until_true grep -q start "$work/d/grtrace/control"
echo late >&3
until_true grep -q late "$work/out"
result $? 'a live stream moves'
kill $pid
wait $pid
exec 3>&-

fresh
sed -i 's/^1,20,20,1,0,/1,25,20,1,5,/' "$work/d/grtrace/pc_stats"
check 'loss: the sentence and the advice' 0 \
	'You have 5 \( 14\.3%\) dropped events' record -w 1
grep -q 'Consider using a larger buffer size (-b) and/or more buffers (-n)' \
	"$work/err"
result $? 'on stderr'
fresh
sed -i 's/^1,20,20,1,0,/1,25,20,1,5,/' "$work/d/grtrace/pc_stats"
check 'loss: exit 3 with --strict' 3 'dropped 5' record -w 1 --strict
fresh
check 'a flight recorder' 0 'Total:' record --mode overwrite -w 1
expect 'a flight recorder saves at the end' \
	"$(cat all.grtrace.1)" = 'METADATApackets of cpu 1'

# ------------------------------------------------------------- the other words

fresh
check 'start' 0 '^' start --mode overwrite -a Q,C --engine render
expect 'starts' "$(state)" = start
grep -qx 'filter_type_mask=0x102' "$work/d/grtrace/config" &&
	grep -qx 'filter_engine_mask=0x2' "$work/d/grtrace/config"
result $? 'with its filters'
check 'msg' 0 '^' msg hello there
expect 'msg writes the line' "$(cat "$work/d/grtrace/msg")" = 'hello there'
set_state running
check 'stop -o saves' 0 'Total:' stop -o flight
expect 'what the channel held' "$(cat flight.grtrace.1)" = \
	'METADATApackets of cpu 1'
set_state stopped
check 'stop -o of what was stopped before' 0 'Total:' stop -o again
expect 'writes no second stop' "$(state)" = stopped
check 'msg without a session' 1 'no session is running' msg lost words
check 'status' 0 '^state stopped$' status
check 'status: rings in columns' 0 '^2   mock0         grtrace_mock' status
check 'status --json' 0 '"state": "stopped"' status --json
set_state idle
check 'stop -o without a session' 1 'no session to save' stop -o nothing
fresh
check 'config shows' 0 '^n_subbufs=4$' config
check 'config without =' 1 "'mode' is not key=value" config mode
check 'config writes' 0 '^' config order=clock
expect 'into the file' "$(cat "$work/d/grtrace/config")" = order=clock

echo "1..$number"
[ "$failed" = 0 ]
