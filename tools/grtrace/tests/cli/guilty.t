#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The task to blame for an error, the driver's words about it, and the result of a wait: in each
# form, from each source, and from a file whose author wants to drive a terminal.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# has NAME LINE: the last command printed the line, as it is
has()
{
	grep -qxF -- "$2" "$work/out"
	result $? "$1"
}

esc=$(printf '\033')
cat > errors.txt <<END
cpu none
info start=1000
ring id=1 class=1 device=card0 driver=mock name=gfx
ring id=2 class=6 device=card0 driver=mock name=device flags=4
cpu 1
task pid=71 tgid=70 comm=game cgroup=4242 ts=2000
submit pid=71 ctx=5 ring=1 seqno=6 ts=3000
commit pid=71 ctx=5 ring=1 seqno=6 fence=50:1 ts=4000
wait_enter pid=71 ctx=5 seqno=6 ts=5000
wait_exit pid=71 ctx=5 seqno=6 arg=-62 ts=2005000
error pid=90 ctx=5 ring=1 seqno=6 kind=1 code=-62 guilty=71 comm=game.exe text=ring_gfx_timeout ts=900000000
complete pid=90 ctx=5 ring=1 seqno=6 arg=-62 ts=900001000
error ring=2 kind=6 code=2 guilty=4242 ts=900002000
error ring=2 kind=6 code=1 comm=0123456789${esc}[2J$esc text=${esc}]0;xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx$esc ts=900003000
error ring=2 kind=3 code=0 ts=900004000
END
"$synth" errors.txt errors

run "$grparse" -q -f '%a %r %x:%S %k %e%y\n' errors
has "an ERROR names the task" 'ER gfx 5:6 timeout -62 by game.exe:71 "ring_gfx_timeout"'
has "by its number alone" 'ER device 0:0 wedged 2 by ?:4242'
has "or nobody" 'ER device 0:0 reset 0'
has "names and text do not drive a terminal, and need no NUL at their end" \
	'ER device 0:0 wedged 1 by 0123456789?[2J? "?]0;xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx?"'
run "$grparse" -q -F 'WX,%x:%S %e%y\n' -F 'WE,%x:%S%y|\n' errors
has "a wait whose time was over" '5:6 -62 -ETIME'
has "and its begin" '5:6|'
check "by default" 0 ' WX   - 5:6 \[game\] -ETIME$' "$grparse" -q errors
check "a TASK has its cgroup" 0 ' mT   - task 71 is game of process 70, cgroup 4242$' "$grparse" -q -v errors

check "JSON" 0 '"guilty_pid":71,"guilty_comm":"game.exe","error_text":"ring_gfx_timeout"' \
	"$grparse" -q --json errors
check "without control characters" 0 '"guilty_comm":"0123456789\?\[2J\?"' "$grparse" -q --json errors
check "text" 0 \
	'grtrace_error: dev=card0, fence=5:6, ring=gfx, kind=timeout, code=-62, pid=71, comm=game.exe, text=ring_gfx_timeout$' \
	"$grtrace" export --to text errors
"$grtrace" export --to text errors | grep -q "$esc"
[ $? = 1 ]
result $? "and no escape"
check "Perfetto" 0 'game.exe:71' \
	sh -c "\"$grtrace\" export --to perfetto -o x.pftrace errors && grep -ao game.exe:71 x.pftrace"
check "CTF" 0 'guilty_comm.*;' \
	sh -c "\"$grtrace\" export --to ctf -o ctf errors && grep -h 'guilty_comm\|cgroup' ctf/*/metadata"
if has_program "SQLite" sqlite3; then
	run "$grtrace" export --to sqlite -o x.db errors
	check "a table of errors" 0 '^71\|game\.exe\|ring_gfx_timeout$' \
		sqlite3 x.db 'SELECT guilty_pid, guilty_comm, error_text FROM error ORDER BY event'
	check "one that names nobody" 0 '^reset\|\|$' \
		sqlite3 x.db "SELECT kind_name, guilty_pid, error_text FROM event_row WHERE type = 'error'"
	check "tasks and their cgroups" 0 '^70\|game\|4242$' sqlite3 x.db 'SELECT tgid, comm, cgroup FROM task'
	check "how waits ended" 0 '^5\|6\|-62$' sqlite3 x.db 'SELECT ctx, seqno, result FROM wait'
	check "and in the row of the event" 0 '^-62$' sqlite3 x.db "SELECT code FROM event_row WHERE type = 'wait_exit'"
fi

# --- reports
check "the first screen" 0 '' "$grtrace" report errors
tr -s ' \n' ' ' < out > line
grep -q '5:6 of game (70) .* until its timeout (ETIME), for which the driver blames game.exe:71\.' line
result $? "names the task that a hang is blamed on"
check "a job that did not begin" 0 '' sh -c "sed '/^commit/d' errors.txt | \"$synth\" - early && \"$grtrace\" report early"
tr -s ' \n' ' ' < out > line
grep -q '1 job failed on gfx, 5:6 at 0\.9000 s (timeout, -ETIME, by game.exe:71); see grtrace explain' line
result $? "names it too"
check "the table of failures" 0 ' timeout, -ETIME, by game\.exe:71$' "$grtrace" report --topn 1 errors
check "the story of the job" 0 '' "$grtrace" explain 5:6 errors
tr -s ' \n' ' ' < out > line
grep -q 'error: timeout, code -62, by game.exe:71 "ring_gfx_timeout" \[ER, ' line
result $? "has what the driver says"
grep -q 'game (thread 71 of process 70) waits no longer, because the time of its wait is over, after 2\.000 ms \[WX, ' line
result $? "and that a wait ended before the job"
check "a signal ends a wait" 0 '' sh -c "sed 's/arg=-62 ts=2005000/arg=-512 ts=2005000/' errors.txt | \"$synth\" - early && \"$grtrace\" explain 5:6 early"
tr -s ' \n' ' ' < out > line
grep -q 'waits no longer, with the error -ERESTARTSYS, after 2\.000 ms ' line
result $? "with an error"
check "the page" 0 '"guilty":\[\[0,"game\.exe:71"\]\]' sh -c "\"$grtrace\" report --html x.html errors && cat x.html"

# --- two machines: each has its own numbers and names
for file in errors.grtrace.*; do
	cp "$file" "guest.${file#*.}"
done
check "two machines have one game each" 0 '' "$grtrace" merge -o merged --clock-offset guest=0 errors vm=guest
run "$grparse" -q -a error -f '%k %e%y\n' merged
has "of the first" 'timeout -62 by game.exe:71 "ring_gfx_timeout"'
has "and of the second" 'timeout -62 by vm/game.exe:4194375 "ring_gfx_timeout"'
has "which is as unknown there" 'reset 0'

# --- kernels with our patches say it in text
cat > wedged.txt <<'TRACE'
# tracer: nop
            game-1200    [001] .....   100.000000: drm_syncobj_wait_start: dev=0000:03:00.0, fence=700:1, count=1, flags=all, client_id=7
            game-1200    [001] .....   100.100000: drm_syncobj_wait_end: dev=0000:03:00.0, fence=700:1, count=1, ret=-62, client_id=7
            game-1200    [001] .....   100.200000: dma_fence_wait_any_start: driver=amdgpu timeline=gfx_0 context=3 seqno=54 count=2
            game-1200    [001] .....   100.300000: dma_fence_wait_any_end: context=3 seqno=54 signaled=0:0 ret=0
            game-1200    [001] .....   100.400000: dma_fence_wait_any_start: driver=amdgpu timeline=gfx_0 context=3 seqno=54 count=2
            game-1200    [001] .....   100.500000: dma_fence_wait_any_end: context=3 seqno=54 signaled=4:2 ret=250
     kworker/2:1-88      [002] .....   101.000000: drm_dev_wedged: dev=0000:03:00.0, method=rebind,bus-reset, pid=1200, comm=game.exe
TRACE
check "a trace of a patched kernel" 0 '' "$grtrace" import -o wedged wedged.txt
run "$grparse" -q -f '%a %v %r %x:%S %k %e%y\n' wedged
has "a wait for sync objects" 'WX - - 700:1 - -62 -ETIME'
has "a wait for one of several fences" 'WX - - 3:54 - -62 -ETIME'
has "which one ended" 'WX - - 3:54 - 0'
has "a wedged device, on a ring of its own" 'ER 0000:03:00.0 device 0:0 wedged 6 by game.exe:1200'
check "verify has no fault to find" 0 '' "$grtrace" verify wedged
finish
