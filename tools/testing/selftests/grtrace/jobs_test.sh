#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Jobs of the real DRM scheduler on the paper GPU: what the session counted is
# what the load says it did, to the last job, whatever became of it.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

sched_events=/sys/kernel/tracing/events/gpu_scheduler
drm_events=/sys/kernel/tracing/events/drm
load="$dir/mockload"
truth="$work/truth"

events() { # NAME
	awk -F, -v name="$1" '$2 == name { print $4 }' $files/events_by_type
}

# Sum of a column of the load's table.
told() { # COLUMN
	awk -F, -v column="$1" 'NR > 1 { sum += $column } END { print sum + 0 }' \
		"$truth"
}

session() { # LOAD'S OPTIONS
	echo start >$files/control || return 1
	"$load" "$@" >"$truth" || return 1
	echo stop >$files/control
}

# offered = written + each reason not to write
accounted() {
	same "events that went nowhere" 0 "$(session_unaccounted)"
}

# Every job submitted and completed; no in-flight jobs left.
all_there() {
	same "submit events" "$(told 2)" "$(events submit)" &&
	same "complete events" "$(told 2)" "$(events complete)" &&
	same "lost" 0 "$(session_stat lost)" &&
	same "in flight" 0 \
	     "$(awk -F, 'NR > 1 { sum += $6 } END { print sum + 0 }' $files/rings)" &&
	accounted
}

# ... and each ran.
all_ran() {
	same "pick events" "$(told 2)" "$(events pick)" &&
	same "commit events" "$(told 2)" "$(events commit)" &&
	same "start events" "$(told 2)" "$(events start)" &&
	same "end events" "$(told 2)" "$(events end)"
}

plain_jobs() {
	session --jobs 1000 --duration 20 && all_there && all_ran
}

many_processes() {
	session --jobs 1000 --procs 4 --ctxs 3 --duration 20 --seed 3 &&
	all_there && all_ran
}

dependencies() {
	session --jobs 400 --depends --duration 20 && all_there && all_ran &&
	[ "$(events dep)" -gt 0 ] && [ "$(events blocked)" -gt 0 ]
}

errors() {
	session --jobs 400 --error-every 10 --duration 20 &&
	all_there && all_ran && [ "$(told 4)" -gt 0 ]
}

# Each hang is one timeout and one reset; where the kernel tells, also of the
# device that works again, which comes after the job's end.
hangs() {
	each=2
	[ ! -d $drm_events/drm_dev_wedged ] || each=3
	echo start >$files/control || return 1
	"$load" --jobs 40 --hang-every 20 --duration 20 >"$truth" || return 1
	for _ in $(seq 600); do
		[ "$(events error)" -lt $((each * $(told 5))) ] || break
		sleep 0.1
	done
	echo stop >$files/control &&
	all_there && all_ran && [ "$(told 5)" -gt 0 ] &&
	same "error events" $((each * $(told 5))) "$(events error)"
}

# Killed before they ran, they still complete. Where the kernel tells, so do we.
killed_jobs() {
	# each ring gets work for 10 s at once: a slow kernel has a backlog, too
	session --jobs 400 --batch 100 --kill --duration 100000 &&
	all_there && [ "$(told 4)" -gt 0 ] || return 1
	[ ! -d $sched_events/drm_sched_job_kill ] ||
	same "error events" $(($(told 2) - $(events pick))) "$(events error)"
}

engine_filter() {
	echo filter_engine_mask=8 >$files/config # bit 3: copy
	session --jobs 400 --duration 20
	ret=$?
	echo filter_engine_mask=0xffffffffffffffff >$files/config
	copies=$(awk -F, '$1 == "copy0" { print $2 }' "$truth")
	[ $ret -eq 0 ] && [ "$copies" -gt 0 ] &&
	same "submit events" "$copies" "$(events submit)" && accounted
}

device_filter() {
	echo filter_device=0000:7f:1f.7 >$files/config
	session --jobs 100 --duration 20
	ret=$?
	echo filter_device=all >$files/config
	[ $ret -eq 0 ] && same "submit events" 0 "$(events submit)" &&
	[ "$(session_stat filtered_device)" -gt 0 ] && accounted
}

small_channel() {
	echo "subbuf_size=4096 n_subbufs=2" >$files/config
	session --jobs 2000 --procs 2 --duration 10
	ret=$?
	echo "subbuf_size=524288 n_subbufs=4" >$files/config
	[ $ret -eq 0 ] && [ "$(session_stat lost)" -gt 0 ] && accounted
}

needs_modules
session_stop
run_tests plain_jobs many_processes dependencies errors hangs killed_jobs \
	engine_filter device_filter small_channel
