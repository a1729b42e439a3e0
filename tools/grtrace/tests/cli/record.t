#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# grtrace while it records, against a directory of plain
# files in place of debugfs.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"

fresh

# ------------------------------------------------------------ usage and help

run "$grtrace" --help
expect 'overview on stdout, exit 0' "$code" = 0 -a -s "$work/out" -a \
	! -s "$work/err"
run "$grtrace"
expect 'no arguments: overview on stderr, exit 2' "$code" = 2 -a \
	-s "$work/err" -a ! -s "$work/out"
check_word 'record --help' 0 'Usage: grtrace record' record --help
expect 'help is on stdout only' ! -s "$work/err"
check_word 'help names every blktrace letter' 0 '-I, --input-devs' record --help
check_word '-V' 0 '^grtrace [0-9.]+ \(stream format [0-9]+\.[0-9]+\)$' -V
check_word '-v' 0 '^grtrace [0-9]' record -v
check_word 'unknown word' 2 "'recrod' is not a command" recrod
check_word 'unknown option' 2 'unknown option --frobnicate' record --frobnicate
check_word 'option of another word' 2 'unknown option -w' start -w 1
check_word '-l is not there yet' 2 'not there yet' -l
check_word '-h is not help' 2 '-h: .*not there yet.*--help' -h somewhere
check_word '-p is not there yet' 2 'not there yet' -p 8462
check_word '-b too small' 2 "-b: '3' is not 4 to 16384 KiB" -b 3
check_word '-b too large' 2 "-b: '16385' is not" -b 16385
check_word '-b no multiple of a page' 2 'not a multiple of 4 KiB' -b 6
check_word '-b no number' 2 "-b: '512k'" -b 512k
check_word '-n too small' 2 "-n: 1 is out of range: give n_subbufs 2 to 1024" -n 1
check_word '-n empty' 2 "--num-sub-buffers: there is no value" --num-sub-buffers=
check_word '-w zero' 2 "-w: '0' is not 1 to" -w 0
check_word '-w negative' 2 "-w: '-1'" -w -1
run "$grtrace" -w
expect '-w without its argument' "$code" = 2
check_word '-a unknown event' 2 "'write' is not an event; there are: submit" -a write
check_word '-A no hex' 2 "'xyz' is not a mask" -A xyz
check_word '-A empty mask' 2 'would record nothing' -A 0
check_word '--mode unknown' 2 "'often' is not one of its values: give mode stop, overwrite" \
	--mode often

# ------------------------------------------------- from tracefs, what cannot be

# refused NAME REGEX ARGS...
refused()
{
	name=$1 regex=$2
	shift 2
	run "$grtrace" record --source tracefs "$@"
	[ "$code" = 2 ] && grep -Eq -- "$regex" "$work/err"
	result $? "$name"
}

run "$grtrace" record --source relaxfs
[ "$code" = 2 ] && grep -q "'relaxfs' is neither relay nor tracefs" "$work/err"
result $? '--source unknown'
refused 'from tracefs: no sampling' \
	"'sample' needs the kernel module .*every event" --sample 10
refused 'from tracefs: no rate limit' "'max_events_per_sec' needs the kernel module" \
	--rate 1000
refused 'from tracefs: no snapshots' "'snapshot_on' needs the kernel module" \
	--snapshot-on error
refused 'from tracefs: no choice of processes' 'let grparse choose' --pid 1
refused 'from tracefs: rings by name' '--ring 3: with --source tracefs name the ring' \
	--ring 3
refused 'from tracefs: no captures that roll' '--max-size needs the kernel module' \
	--max-size 4M
refused 'from tracefs: a device that is not there' \
	"there is no device 'card77'" -d card77
refused 'from tracefs: no debugfs' 'cannot be combined with --source tracefs' \
	-r "$work/d"
check_word '--order is no more' 2 '--order: all records have one order, gseq: leave it out' --order gseq
check_word '--clock tai is no more' 2 "--clock: 'tai' is not one of its values: give clock mono, boot" --clock tai
check_word '--sched is for tracefs' 2 'need --source tracefs' --sched
check_word '--vblank is for tracefs' 2 'need --source tracefs' --vblank

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

check_word 'unknown device: those there are' 1 \
	"there is no device 'card7'; there are: .*mock0" -d card7
check_word 'unknown ring: those there are' 1 \
	"there is no ring 'vcs0'; there are: rcs0 \(1\), ring-a \(2\)" --ring vcs0
check_word 'a list of devices that is not there' 1 'nowhere' -I "$work/nowhere"
check_word 'output into a place that is not there' 1 \
	'cannot write .*/gone/x.grtrace.0: No such file' -o "$work/gone/x"
expect 'and no session was started' "$(state)" = idle
check_word 'directory that cannot be made' 1 'cannot create the directory' \
	-D /proc/nothing/here
expect 'nor then' "$(state)" = idle

set_state running
check_word 'a session is running already' 1 \
	'already running.*grtrace record -k' -w 1
expect 'which goes on' "$(state)" = running
check_word '-k stops it' 0 'was stopped' -k
expect 'and it is stopped' "$(state)" = stop

# ----------------------------------------------------------------- recording

fresh
check_word 'record with -w' 0 '^=== all ===$' record -w 1
expect 'table as blktrace prints it' "$(sed -n 2p "$work/out")" = \
	'  CPU  0:                   10 events,        1 KiB data'
expect 'total as blktrace prints it' "$(tail -n 1 "$work/out")" = \
	'  Total:                    30 events (dropped 0),        1 KiB data'
! grep -q 'still in force' "$work/err"
result $? 'and names nothing that was set before'
expect 'metadata, packets, metadata in the lowest CPU' \
	"$(cat all.grtrace.0)" = 'METADATApackets of cpu 0METADATA'
expect 'metadata, packets in the others' \
	"$(cat all.grtrace.1)" = 'METADATApackets of cpu 1'
expect 'CPUs without a channel leave no file' \
	"$(echo all.grtrace.*)" = 'all.grtrace.0 all.grtrace.1'
expect 'the session was stopped' "$(state)" = stop

# deaf SOURCE...: nothing happens, and these sources are there
deaf()
{
	fresh
	{
		printf '%s\n' 'cpu none' 'info start=1000'
		printf 'meta source %s\n' "$@"
	} | "$(dirname "$grtrace")/synth" --stream - "$work/d/grtrace/metadata"
	sed -i '2,$s/,.*/,0,0,0,0,0,0/' "$work/d/grtrace/pc_stats"
	: > "$work/d/grtrace/trace0"
	: > "$work/d/grtrace/trace1"
}

deaf 'dma_fence 5 5' 'drm_sched 0 5' 'virtio_gpu 0 2'
check_word 'nothing to listen to' 1 'no job was recorded, because there was nothing to listen to: no driver with the tracepoints of drm_sched, virtio_gpu was loaded. Load' -- true
run "$grtrace" report all
[ "$code" = 0 ] && sed -n 2p "$work/out" | grep -q '^no job was recorded, because there was nothing to listen to'
result $? 'whose report begins with that'
! grep -q 'STAGE\|Labels\|QUEUE' "$work/out" && grep -q '^Lost: 0 records' "$work/out"
result $? 'in place of empty tables'
deaf 'dma_fence 5 5' 'drm_sched 5 5'
check_word 'an idle driver is something' 0 '' -- true
deaf 'dma_fence 5 5' 'mock 0 0'
check_word 'as is one that calls the module' 0 '' -- true
deaf 'dma_fence 5 5' 'drm_sched 0 5'
sed -i 's/^0,0/0,1/' "$work/d/grtrace/pc_stats"
check_word 'fences are something' 0 '' -- true
deaf 'nothing'
check_word 'no source' 1 'no job was recorded, because no source of jobs was loaded: load grtrace_drm_sched' -- true
ln -sf /dev/full all.grtrace.1
check_word 'and a full disk' 1 'No space left' -- true
! grep -q 'no source' "$work/err"
result $? 'of which nothing else is said'
for view in pc_stats stats; do
	deaf 'dma_fence 5 5' 'drm_sched 5 5'
	check_word "counts that cannot be read: $view" 1 "/$view: No such file" -- rm "$work/d/grtrace/$view"
done

# Marks for a tracer that runs at the same time with another clock.
fresh
mkdir "$work/tracing"
: > "$work/tracing/trace_marker"
check_word 'where there is a trace_marker' 0 '' -- true
sed -n 's/^grtrace_sync mono=\([0-9]*\) boot=[0-9]* tai=[0-9]*$/\1/p' \
	"$work/tracing/trace_marker" > marks
[ "$(wc -l < marks)" = 10 ] && sort -nc marks
result $? 'five marks of the clocks at each end'
rm -r "$work/tracing"

deaf 'dma_fence 5 5' 'drm_sched 5 5'
check_word 'a name and tags' 0 '' --host 'render 7' --tag mesa=26.1 --tag 'app=a b' -- true
for line in 'host render%207$' 'tag mesa 26.1$' 'tag app a%20b$'; do
	grep -aq "$line" all.grtrace.0
	result $? "are in the capture: $line"
done
deaf 'dma_fence 5 5' 'drm_sched 5 5'
check_word "the machine's own name" 0 '' -- true
grep -aq "host $(uname -n)$" all.grtrace.0
result $? 'is there by default'
check_word 'none' 0 '' --host - -- true
! grep -aq 'host ' all.grtrace.0
result $? 'is there with --host -'
check_word 'a tag without a value' 2 "'mesa' is not KEY=VALUE" --tag mesa

# Every second CPU is offline, as without SMT: it has no trace file.
fresh
mv "$work/d/grtrace/trace1" "$work/d/grtrace/trace2"
sed -i 's/^1,/2,/' "$work/d/grtrace/pc_stats"
check_word 'CPUs with a hole in their numbers' 0 'CPU  2: +20 events' record -w 1
expect 'the one in the hole has a file, or it would count as lost' \
	"$(cat all.grtrace.1)" = METADATA -a \
	"$(cat all.grtrace.2)" = 'METADATApackets of cpu 1'
expect 'which is no line of the table' "$(grep -c 'CPU  1' "$work/out")" = 0

fresh
check_word 'PCI address in file names' 0 '=== 0000-00-02.0 ===' \
	-d 0000:00:02.0 -D sub -w 1
expect 'with - for :, in the directory of -D' -s sub/0000-00-02.0.grtrace.0
fresh
on err check_word '-o -: statistics on stderr' 0 'Total:' -o - -w 1
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
check_word 'full disk: which file and how much of it is safe' 1 \
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
check_word 'a program that fails' 7 'ended with status 7' \
	record -- sh -c 'echo ran > ran; exit 7'
expect 'it ran' "$(cat ran)" = ran
fresh
check_word 'a program killed by a signal' 137 'status 137' \
	record -- sh -c 'kill -9 $$'

# As another user: the recorder is root, the command is not.
fresh
check_word 'a user that is not there' 1 "there is no user 'nobody-at-all' to run the command as" \
	record --user nobody-at-all -- true
check_word 'a user without a command' 2 'who runs the command: give one' record --user root
me=$(id -un)
check_word 'as oneself' 0 '' record --user "$me" -- sh -c 'id -un > who'
expect 'it is' "$(cat who)" = "$me"
if [ "$(id -u)" = 0 ]; then
	# Everybody gets there, which is not so for each TMPDIR.
	open=$(TMPDIR=/tmp mktemp -d)
	trap 'rm -rf "$work" "$open"' EXIT
	chmod 1777 "$open"
	cat > "$open/who" << 'END'
#!/bin/sh
echo "$(id -u) $(id -g) $(id -Gn) $HOME $USER $LOGNAME ${SUDO_UID-unset} $KEPT" > "${0%/*}/is"
grep -h '^Cap[EP]\|^SigBlk\|^SigIgn' /proc/self/status >> "${0%/*}/is"
exit 9
END
	chmod 755 "$open/who"
	nobody=$(getent passwd nobody | cut -d: -f3,4,6 | tr : ' ')
	as_nobody="${nobody% *} $(id -Gn nobody) ${nobody##* } nobody nobody unset yes"
	fresh
	KEPT=yes SUDO_UID=0 check_word 'as nobody' 9 '' record --user nobody -- "$open/who"
	expect 'with its groups and its home' "$(sed 1q "$open/is")" = "$as_nobody"
	grep -q '^CapEff:.0*$' "$open/is" && grep -q '^CapPrm:.0*$' "$open/is"
	result $? 'without a right of root'
	rm -f "$open/is"
	printf 'extra:x:4242:nobody\n' | cat /etc/group - > "$work/group"
	if unshare -m mount --bind "$work/group" /etc/group 2> /dev/null; then
		fresh
		# shellcheck disable=SC2016 # the inner shells expand these
		run unshare -m sh -c 'mount --bind "$1" /etc/group; shift; exec "$@"' - "$work/group" \
			"$grtrace" record -r "$work/d" --user nobody -- sh -c 'id -G > "$0"' "$open/groups"
		expect 'with groups of /etc/group' "$(cat "$open/groups")" = \
			"$(id -G nobody) 4242"
	else
		skip 'with groups of /etc/group' 'nothing can be mounted here'
	fi
	fresh
	KEPT=yes SUDO_UID=65534 check_word 'as who called sudo' 9 '' record -- "$open/who"
	expect 'likewise' "$(sed 1q "$open/is")" = "$as_nobody"
	fresh
	SUDO_UID=65534 check_word 'as root all the same' 0 '' record --user root -- sh -c 'id -u > who'
	expect 'which it is' "$(cat who)" = 0
	printf '#!/bin/sh\n' > "$work/mine"
	chmod 700 "$work/mine"
	fresh
	check_word 'a program of root only' 1 'cannot run the command: Permission denied' \
		record --user nobody -- "$work/mine"
	expect 'leaves no session either' "$(state)" = stop
	printf 'exit 6\n' > "$open/bare"
	chmod 755 "$open/bare"
	fresh
	check_word 'a script without a first line' 6 '' record --user nobody -- "$open/bare"
	fresh
	run "$grtrace" record -r "$work/d" -o - --user nobody -- sh -c 'echo told; kill -TERM $$'
	expect 'ended by a signal' "$code" = 143
	grep -q '^told$' "$work/err"
	result $? 'its output is not in the capture'
fi
fresh
printf older > all.grtrace.0
check_word 'a program that is not there' 1 \
	'cannot run the command: .*/no-such-program: No such file' \
	record -- "$work/no-such-program"
expect 'empties no older capture' "$(cat all.grtrace.0)" = older
check_word 'nor does one that is not on PATH' 1 \
	'cannot run the command: no-such-program: No such file' \
	record -- no-such-program
expect 'likewise' "$(cat all.grtrace.0)" = older
printf '#!%s/no-such-interpreter\n' "$work" > "$work/fails"
chmod +x "$work/fails"
check_word 'a program that cannot be executed' 1 'cannot run the command: No such' \
	record -- "$work/fails"
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

# Its command gets the signal, which from a terminal it has already.
fresh
# shellcheck disable=SC2016 # the command's
"$grtrace" record -r "$work/d" -- sh -c 'trap "echo told > told; exit" TERM
	: > runs; for i in $(seq 100); do sleep 0.1; done' > "$work/out" 2> "$work/err" &
pid=$!
until_true test -e runs
kill -TERM $pid
wait $pid
expect 'the command gets the signal' "$(cat told 2> "$work/err")" = told

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
on err check_word 'loss: the sentence and the advice' 0 \
	'You have 5 \( 14\.3%\) dropped events' record -w 1
grep -q 'Consider using a larger buffer size (-b) and/or more buffers (-n)' \
	"$work/err"
result $? 'on stderr'
printf '%s\n' 'rate_limited_drops 2' 'backpressure_drops 1' \
	>> "$work/d/grtrace/stats"
on err check_word 'loss: by reason' 0 \
	'^2 of them were refused by the rate limit \(--rate, --burst\), 1 by backpressure \(--backpressure\)$' \
	record -w 1
sed -i 's/^rate_limited_drops.*/rate_limited_drops 5/; /^backpressure/d' \
	"$work/d/grtrace/stats"
on err check_word 'loss: all by the rate limit' 0 '^5 of them were refused by the rate limit' \
	record -w 1
! grep -q 'larger buffer' "$work/err"
result $? 'no larger buffer would help'
fresh
sed -i 's/^1,20,20,1,0,/1,25,20,1,5,/' "$work/d/grtrace/pc_stats"
check_word 'loss: exit 3 with --strict' 3 'dropped 5' record -w 1 --strict
fresh
check_word 'a flight recorder' 0 'Total:' record --mode overwrite -w 1
expect 'a flight recorder saves at the end' \
	"$(cat all.grtrace.1)" = 'METADATApackets of cpu 1'

# ------------------------------------------- filters and limits, there and back

# during ARGS...: records with these options; $work/w/seen is the configuration
# while it went on, each key as it was set last.
during()
{
	fresh
	name=$1 want=$2
	shift 2
	run "$grtrace" record -r "$work/d" "$@" -- \
		cp "$work/d/grtrace/config" "$work/w/seen"
	[ "$code" = 0 ] && [ "$(tr '\n' ' ' < "$work/w/seen")" = "$want " ]
	result $? "$name"
}

# before KEY=VALUE...: what the configuration is before the next recording.
before()
{
	fresh
	for word in "$@"; do
		sed -i "s|^${word%%=*}=.*|$word|" "$work/d/grtrace/config"
	done
}

# after WORDS: what was written to the configuration last.
after()
{
	expect "$1" "$(tr '\n' ' ' < "$work/d/grtrace/config")" = "$2 "
}

during 'two devices' 'filter_device=mock0,0000:00:02.0' -d mock0 -d 0000:00:02.0
after 'and back' 'filter_device=all'
expect 'files of both names' -s mock0+0000-00-02.0.grtrace.0
printf 'mock0 # the paper one\n' > "$work/list"
during 'devices from a file' 'filter_device=mock0' -I "$work/list"
during 'actions add up' 'filter_type_mask=0x102' -a q -a complete
after 'and back' 'filter_type_mask=0xffffffffffffffff'
during 'actions as hex' 'filter_type_mask=0xff' -A ff
during 'engines' 'filter_engine_mask=0xa' --engine render,copy
during 'engines by the other name' 'filter_engine_mask=0xa' --engine-mask 0xa
during 'a ring by its name' 'filter_ring_id=2' --ring ring-a
after 'and back' 'filter_ring_id=0'
during 'several rings' 'filter_ring_mask=0x26' --ring rcs0,5 --ring ring-a
during 'rings beyond the mask' 'watch_ring_clear=1 watch_ring_add=2,70' \
	--ring ring-a,70
after 'and back' 'watch_ring_clear=1'
during 'contexts and pids' \
	'watch_ctx_clear=1 watch_ctx_add=5,6 watch_pid_clear=1 watch_pid_add=70 watch_allow_mode=0 watch_combine=and' \
	--ctx 5,6 --pid 70 --deny --combine and
after 'and back' \
	'watch_ctx_clear=1 watch_pid_clear=1 watch_allow_mode=1 watch_combine=or'
during 'sampling and limits' \
	'sample=4 adaptive_sampling=1 max_events_per_sec=1000 burst=50 rate_limiter_mode=0 backpressure_threshold=90' \
	--sample 4 --adaptive --rate 1000 --burst 50 --limiter window \
	--backpressure 90
after 'and back' \
	'sample=1 adaptive_sampling=0 max_events_per_sec=0 burst=0 rate_limiter_mode=1 backpressure_threshold=0'
during 'slow jobs' 'slow_queue_us=500 slow_exec_us=2000 snapshot_on=slow_exec' \
	--slow-queue 500 --slow-exec 2000 --snapshot-on slow_exec
during 'clock, level, profile' 'clock=boot level=normal profile=1' \
	--clock boot --level normal --profile
during 'the channel' 'subbuf_size=8192 n_subbufs=8 mode=overwrite' \
	-b 8 -n 8 --mode overwrite
after 'and back' 'subbuf_size=524288 n_subbufs=4 mode=stop'

before sample=8 watch_pid_add=70,71 watch_pid_clear=0
check_word 'what the user had set comes back' 0 'Total' record -w 1 --sample 2 --pid 9
after 'lists too' 'watch_pid_clear=1 watch_pid_add=70,71 sample=8'
before sample=8 level=normal filter_device=mock0 burst=9
on err check_word 'what he did not ask for is named' 0 \
	'^grtrace: set before and still in force: level=normal filter_device=mock0 sample=8$' \
	record -w 1
expect 'and goes into the name' -s mock0.grtrace.0
grep -qx sample=8 "$work/d/grtrace/config" &&
	grep -qx burst=9 "$work/d/grtrace/config"
result $? 'and stays'

for signal in INT TERM HUP; do
	before sample=8
	"$grtrace" record -r "$work/d" --sample 2 > "$work/out" 2> "$work/err" &
	pid=$!
	until_true grep -q start "$work/d/grtrace/control"
	kill -$signal $pid
	wait $pid
	after "SIG$signal brings it back" sample=8
done

# The settings of a recorder that was killed cannot be restored.
before sample=8
"$grtrace" record -r "$work/d" --sample 2 > "$work/out" 2> "$work/err" &
pid=$!
until_true grep -q start "$work/d/grtrace/control"
kill -KILL $pid
wait $pid
set_state running
check_word '-k ends what a killed one has begun' 0 'was stopped' -k
on err check_word 'and what was set is named next time' 0 '^grtrace: set before and still in force: sample=2$' record -w 1
before sample=8
check_word 'so does an output that cannot be made' 1 'cannot write' \
	record --sample 2 -o "$work/gone/x"
after 'before a session starts' sample=8
before sample=8
check_word 'and a program that is not there' 1 'cannot run the command' \
	record --sample 2 -- "$work/fails"
after 'after it has started' sample=8
before sample=8
ln -s /dev/full all.grtrace.1
check_word 'and a full disk' 1 'No space left' record --sample 2 -w 9
after 'in the middle' sample=8

# ------------------------------------------------------------- snapshots

"$synth" --stream "$fixtures/sampling.txt" "$work/stream"

# The command of these recordings: does what the kernel does on a trigger,
# DIR's number N with the stream FILE, and waits until the file SAVED is there.
cat > "$work/trigger" <<'EOF'
dir=$1 n=$2 file=$3 saved=$4 tries=0
cat "$file" > "$dir/snapshot"
sed -i '/^snapshots/d' "$dir/stats"
echo "snapshots $n" >> "$dir/stats"
[ -n "$saved" ] || exit 0
until [ -s "$saved" ] || [ $tries = 3000 ]; do
	sleep 0.02
	tries=$((tries + 1))
done
EOF

fresh
run "$grtrace" record -r "$work/d" --mode overwrite -o run \
	--snapshot-on slow_exec -- \
	sh "$work/trigger" "$work/d/grtrace" 1 "$work/stream" run.snapshot.grtrace.1
grep -qx 'grtrace: a snapshot was taken (slow_exec) and saved: grparse -i run.snapshot' \
	"$work/err"
result $? 'a trigger is told'
run "$grparse" -i run.snapshot
grep -q '^Snapshot: taken at .* (slow_exec)$' "$work/out"
result $? 'and its snapshot saved for grparse'
expect 'which reads it' "$code" = 0 -a -s run.snapshot.grtrace.0
expect 'the recording went on' "$(cat run.grtrace.1)" = \
	'METADATApackets of cpu 1'
expect 'and the session was stopped' "$(state)" = stop

cat > "$work/twice" <<'EOF'
sh "$1" "$2" 1 "$3" all.snapshot.grtrace.1
sh "$1" "$2" 2 "$3" ''
EOF
fresh
run "$grtrace" record -r "$work/d" --snapshots 2 --snapshot-on error -- \
	sh "$work/twice" "$work/trigger" "$work/d/grtrace" "$work/stream"
expect 'a second one if asked for' -s all.snapshot.2.grtrace.0
fresh
run "$grtrace" record -r "$work/d" --snapshot-on error -- \
	sh "$work/twice" "$work/trigger" "$work/d/grtrace" "$work/stream"
expect 'and only then' -s all.snapshot.grtrace.0 -a \
	! -e all.snapshot.2.grtrace.0

fresh
run "$grtrace" record -r "$work/d" --snapshot-on error -o - -- \
	sh "$work/trigger" "$work/d/grtrace" 1 "$work/stream" ''
expect 'one at the very end, next to stdout' -s all.snapshot.grtrace.0
before sample=8
check_word '--snapshots without a trigger' 1 '--snapshots needs a reason to take one: name it with --snapshot-on' \
	record --sample 2 --snapshots 2
after 'of which nothing is left' sample=8
fresh
printf 'rubbish!rubbish!' > "$work/rubbish"
run "$grtrace" record -r "$work/d" --snapshot-on error -- \
	sh "$work/trigger" "$work/d/grtrace" 1 "$work/rubbish" ''
grep -q 'the stream is damaged at byte 0' "$work/err"
result $? 'one that is damaged is told'
expect 'costs exit 1 and no recording' "$code" = 1 -a -s all.grtrace.1

# ------------------------------------------------------------- the other words

fresh
check_word 'start' 0 '' start --mode overwrite -a Q,C --engine render
expect 'starts' "$(state)" = start
grep -qx 'filter_type_mask=0x102' "$work/d/grtrace/config" &&
	grep -qx 'filter_engine_mask=0x2' "$work/d/grtrace/config"
result $? 'with its filters, which stay'
before sample=8
on err check_word 'start names what was set before' 0 'still in force: sample=8' start
check_word 'msg' 0 '' msg hello there
expect 'msg writes the line' "$(cat "$work/d/grtrace/msg")" = 'hello there'
set_state running
check_word 'stop -o saves' 0 'Total:' stop -o flight
expect 'what the channel held' "$(cat flight.grtrace.1)" = \
	'METADATApackets of cpu 1'
set_state stopped
check_word 'stop -o of what was stopped before' 0 'Total:' stop -o again
expect 'writes no second stop' "$(state)" = stopped
check_word 'msg without a session' 1 'no session is running' msg lost words
set_state idle
check_word 'stop -o without a session' 1 'no session to save' stop -o nothing

# ----------------------------------------------------------------- the sources

# Modules that are loaded, and a card whose driver is i915; modprobe writes down what it
# is asked for.
fake_machine()
{
	rm -rf "$work/module" "$work/class" "$work/modprobed"
	for name in drm virtio_gpu i915 "$@"; do
		mkdir -p "$work/module/$name"
	done
	mkdir -p "$work/class/card0/device" "$work/class/card0-DP-1"
	ln -s ../../bus/pci/drivers/i915 "$work/class/card0/device/driver"
	printf '#!/bin/sh\necho "$@" >>"%s"\n' "$work/modprobed" > "$work/modprobe"
	chmod 755 "$work/modprobe"
	: > "$work/modprobed"
}

# loads NAME SOURCES ARGS...: which modprobe is asked for, one call a line
loads()
{
	name=$1 want=$2
	shift 2
	run env GRTRACE_MODPROBE="$work/modprobe" GRTRACE_SYSFS_DRM="$work/class" \
		GRTRACE_SYSFS_MODULE="$work/module" "$grtrace" "$@"
	[ "$code" = 0 ] && [ "$(cat "$work/modprobed")" = "$want" ]
	result $? "$name"
	sed 's/^/# /' "$work/modprobed"
}

fresh
fake_machine
loads 'start: sources of the drivers that have a device, and of what is loaded' \
	'-q -a grtrace_dma_fence grtrace_drm grtrace_i915' start -r "$work/d"
fresh
fake_machine gpu_sched grtrace_i915 grtrace_drm
loads 'but for those that are loaded' '-q -a grtrace_dma_fence grtrace_drm_sched' \
	start -r "$work/d"
fresh
fake_machine grtrace_dma_fence grtrace_i915 grtrace_drm
loads 'none is missing: no modprobe' '' start -r "$work/d"
fresh
fake_machine grtrace_dma_fence grtrace_i915 grtrace_drm
mkdir -p "$work/class/card1/device/virtio0"
ln -s ../../bus/pci/drivers/virtio-pci "$work/class/card1/device/driver"
ln -s ../../../bus/virtio/drivers/virtio_gpu "$work/class/card1/device/virtio0/driver"
loads 'virtio-gpu on PCI: the driver is that of the device below' \
	'-q -a grtrace_virtio_gpu grtrace_virtio_pci' start -r "$work/d"
fresh
fake_machine grtrace_dma_fence grtrace_drm
loads 'record: also that of a driver that comes' '-q -a grtrace_i915
-q -a grtrace_virtio_gpu' record -r "$work/d" -- sh -c "
	mkdir -p '$work/class/renderD128/device'
	ln -s ../../drivers/virtio-gpu '$work/class/renderD128/device/driver'
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.3
		! grep -q virtio '$work/modprobed' || break
	done
	sleep 0.5"
fresh
fake_machine
loads 'stop loads none' '' stop -r "$work/d"

deaf 'dma_fence 5 5' 'mock 0 0'
set_state running
check_word 'stop --unload, where the sources are no modules' 0 '' stop --unload
expect 'stops' "$(state)" = stop
set_state stopped
check_word 'stop --unload without a session' 0 '' stop --unload
expect 'has none to stop' "$(state)" = stopped
check_word 'stop alone without one has' 0 '' stop
expect 'which a plain file takes' "$(state)" = stop
check_word '--unload is of stop alone' 2 'unknown option --unload' start --unload
finish
