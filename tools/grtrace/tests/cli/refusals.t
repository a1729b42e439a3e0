#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Refusals of the world outside, one system call after the other: each command that opens,
# reads or writes fails with a sentence that gives the reason, or nothing is missing; and it
# leaves no half of a file. world.t has those that each command meets in its own way.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"

# each NAME [--cut|--rest] DIRECTORY REFUSALS PROGRAM...: see each_refusal.py
each()
{
	name=$1
	shift
	check "$name" 0 '^[1-9][0-9]* refused, [1-9][0-9]* reported$' python3 -B "$here/each_refusal.py" "$@"
}

# refused CALL TEST ERROR COMMAND...: see refuse.py
refused()
{
	python3 -B "$here/refuse.py" "$@"
}

# unprivileged COMMAND...: files that root may not read are not read by root, either.
unprivileged()
{
	if [ "$(id -u)" = 0 ]; then
		setpriv --bounding-set -dac_override,-dac_read_search --inh-caps=-all "$@"
	else
		"$@"
	fi
}

cd "$work" || exit 1
mkdir one
"$synth" --stream "$fixtures/stages.txt" one/capture
"$synth" "$fixtures/stages.txt" one/files
cat > one/three.txt << 'TRACE'
            game-70      [000] .....    10.000100: drm_sched_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:0, hw job count:0
   kworker/u8:0-12       [001] .....    10.000300: drm_run_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:1, hw job count:0
TRACE
for old in out csv json groups delays depth page; do
	echo old > "one/$old"
done

# -------------------------------------------------------------------------------- outputs

# All that is written: a full disk, a broken one, a signal, a directory that is not ours, and a
# file system that became read-only before the file got its name.
writes='write:arg0>=3:ENOSPC,write:arg0>=3:EIO,write:arg0>=3:EINTR,openat:arg2&1:EACCES,openat:arg2&1:EROFS'
names='linkat:any:EACCES,rename:any:EROFS'
while read -r program words; do
	# shellcheck disable=SC2086
	each "writes: $program $words" one "$writes,$names" "$build/$program" $words
done << 'OUTPUTS'
grparse -q -o out capture
grparse -q -O -d out capture
grtrace report -o out --csv csv --json json --groups-csv groups --delays-csv delays --depth-csv depth --html page capture
grtrace diff -o out capture files
grtrace verify -o out capture
grtrace timeline -o out capture
grtrace explain -o out 5:1 capture
grtrace export --to csv -o csv capture
grtrace export --to json -o json capture
grtrace export --to text -o out capture
grtrace export --to perfetto -o out capture
grtrace merge -q -o out capture
grtrace import -q -o out three.txt
OUTPUTS
each "writes: a database" one 'pwrite64:any:ENOSPC,rename:any:EROFS' "$grtrace" export --to sqlite -o csv capture
for error in EACCES:'Permission denied' EMFILE:'Too many open files' EROFS:'Read-only file system'; do
	check "a database: ${error%%:*}" 1 "one/new.db: cannot create: ${error#*:}\$" \
		refused openat 'arg2&2' "${error%%:*}" "$grtrace" export --to sqlite -o one/new.db one/capture
	! ls one/new.db* > out 2>&1
	result $? "and none is there"
done
each "writes: CTF" one 'write:arg0>=3:ENOSPC,openat:arg2&1:EACCES,mkdir:any:EROFS,rename:any:EACCES' \
	"$grtrace" export --to ctf -o ctf capture

# --------------------------------------------------------------------------------- inputs

# The tools' own reads; the dynamic loader reads less at once.
while read -r program words; do
	# shellcheck disable=SC2086
	each "reads: $program $words" --rest one 'read:arg2>=4096:EIO,read:arg2>=4096:EINTR' "$build/$program" $words
	# shellcheck disable=SC2086
	each "no more files: $program $words" one 'openat:any:EMFILE' "$build/$program" $words
done << 'INPUTS'
grparse -q -o out capture
grtrace report -o out capture
grtrace verify capture
grtrace export --to csv -o csv capture
grtrace explain -o out 5:1 capture
grparse -q -o out three.txt
INPUTS

cd one || exit 1
chmod 0 capture
for words in "grparse -q" "grtrace report" "grtrace verify" "grtrace timeline" "grtrace export --to csv" \
	"grtrace explain 5:1" "grtrace diff files" "grtrace merge -o new" "grtrace import -o new"; do
	# shellcheck disable=SC2086
	check "may not be read: $words" 1 'capture: cannot open: Permission denied' unprivileged "$build"/$words capture
	# shellcheck disable=SC2086
	check "is not there: $words" 1 'none/capture: (no such capture|cannot open: No such file)' "$build"/$words none/capture
done
chmod 644 capture
chmod 0 files.grtrace.1
check "a CPU's file may not be read: the others are shown" 1 'files.grtrace.1: cannot open: Permission denied' \
	unprivileged "$grparse" -q files
grep -q ' Q ' ../out
result $? "which is so"
chmod 644 files.grtrace.1
mkdir shut
cp files.grtrace.* shut
chmod 311 shut
check "a directory that may not be searched" 1 \
	'^grparse: shut/files: cannot search its directory for shut/files.grtrace.0: Permission denied$' unprivileged "$grparse" -q shut/files
check "a file in it that is named" 0 '' unprivileged "$grparse" -q shut/files.grtrace.0
chmod 0 shut
check "a directory that may not be entered" 1 'shut/files: cannot open: Permission denied' unprivileged "$grparse" -q shut/files
chmod 755 shut
[ ! -e new ]
result $? "and nothing is written"

# Only a part of what was packed can be unpacked.
head -c 4096 /dev/zero | tr '\0' '#' > comment
{ cat three.txt; tr '\0' '\n' < /dev/zero | head -c 300000; } > long.txt
gzip -1c long.txt > whole.gz
head -c "$(($(stat -c %s whole.gz) - 12))" whole.gz > cut.gz
check "all is unpacked" 0 '' "$grtrace" import -o unpacked whole.gz
on err absent "and nothing is missing" 'the rest is missing'
on err check "a part is unpacked" 0 'cut.gz: the rest is missing: gzip could not unpack all of it: .*unexpected end of file' \
	"$grtrace" import -o unpacked cut.gz
cd "$work" || exit 1

# ----------------------------------------------------------------------- places for output

mkdir full shut
chmod 555 shut
: > plain
cat > places << 'PLACES'
none/FILE No such file or directory
plain/FILE Not a directory
shut/FILE Permission denied
PLACES
cat > commands << 'COMMANDS'
grparse -q -o PLACE one/files
grtrace report -o PLACE one/files
grtrace report -o /dev/null --csv PLACE one/files
grtrace diff -o PLACE one/capture one/files
grtrace verify -o PLACE one/files
grtrace timeline -o PLACE one/files
grtrace explain -o PLACE 5:1 one/files
grtrace export --to csv -o PLACE one/files
grtrace export --to sqlite -o PLACE one/files
grtrace export --to ctf -o PLACE one/files
grtrace export --to perfetto -o PLACE one/files
grtrace merge -q -o PLACE one/files
grtrace import -q -o PLACE one/three.txt
COMMANDS
while read -r place reason; do
	while read -r program words; do
		# shellcheck disable=SC2046
		check "$place: $program $words" 1 "$reason" unprivileged "$build/$program" $(echo "$words" | sed "s|PLACE|$place|")
	done < commands
done < places
[ -z "$(ls shut)" ] && [ ! -s plain ] && [ ! -e none ]
result $? "and nothing is written"

# -------------------------------------------------------------------------------- sessions

while read -r state what word options; do
	for error in EACCES:'permission denied' EIO:'Input/output error' EMFILE:'Too many open files' EROFS:'Read-only file system'; do
		fresh
		set_state "$state"
		# shellcheck disable=SC2086
		check "${error%%:*} of opening: $word" 1 "$what.*${error#*:}" \
			refused openat 'arg2&1' "${error%%:*}" "$grtrace" "$word" -r "$work/d" $options
		expect "the session is as it was" "$(state)" = "$state"
	done
	for error in EIO:'Input/output error' EINTR:'Interrupted system call' ENOMEM:'(not enough memory|no memory|Cannot allocate memory)'; do
		fresh
		set_state "$state"
		# shellcheck disable=SC2086
		check "${error%%:*} of writing: $word" 1 "$what.*${error#*:}" \
			refused write 'arg0>=3' "${error%%:*}" "$grtrace" "$word" -r "$work/d" $options
	done
done << 'WORDS'
idle (cannot.start.a.session|there.is) start
idle (the.kernel.refused.'sample=1'|/config): config sample=1
running the.message.was.not.recorded msg hello
WORDS
fresh
each "no more files: config" --cut "$work" 'openat:any:EMFILE' "$grtrace" config -r d
each "no more files: config --save" --cut "$work" 'openat:any:EMFILE' "$grtrace" config -r d --save saved

# Outputs of a recording that cannot be made: no session is left behind.
for error in EACCES:'Permission denied' EROFS:'Read-only file system' ENOSPC:'No space left' EMFILE:'Too many open files'; do
	fresh
	check "${error%%:*} of an output" 1 "cannot write .*all.grtrace.0: ${error#*:}" \
		refused openat 'arg2&0x40' "${error%%:*}" "$grtrace" record -r "$work/d" -w 1
	! grep -q running "$work/d/grtrace/control"
	result $? "and no session runs"
	fresh
	check "${error%%:*} of its directory" 1 "cannot create the directory new: ${error#*:}" \
		refused mkdir any "${error%%:*}" "$grtrace" record -r "$work/d" -D new -w 1
	! grep -q running "$work/d/grtrace/control"
	result $? "nor then"
done
fresh
# The first write is the order to start; the last ones are packets.
for nth in 2 4; do
	fresh
	check "EIO of a recording, write $nth" 1 'all.grtrace.[01]: Input/output error: its first [0-9]+ bytes are safe' \
		refused write#$nth 'arg0>=3' EIO "$grtrace" record -r "$work/d" -w 5
	expect "and its session ends" "$(state)" = stop
done
fresh
check "no eventfd" 1 'eventfd: Too many open files' refused eventfd2 any EMFILE "$grtrace" record -r "$work/d" -w 1
check "no process for the command" 1 'cannot run the command: Resource temporarily unavailable' \
	refused clone any EAGAIN "$grtrace" record -r "$work/d" -- true
check "no pipe to it" 1 'cannot run the command: Too many open files' refused pipe2 any EMFILE "$grtrace" record -r "$work/d" -- true

finish
