#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Jobs of the real DRM scheduler on the mock GPU: what the session counted is what
# the load says it did, to the last job, whatever became of it; and each is in the
# trace with its error and its times.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

sched_events=/sys/kernel/tracing/events/gpu_scheduler
drm_events=/sys/kernel/tracing/events/drm
truth="$work/truth"

# Sum of a column of the load's table.
told() { # COLUMN
	awk -F, -v column="$1" '/^[a-z]+0,/ { sum += $column } END { print sum + 0 }' "$truth"
}

session() { # LOAD'S OPTIONS
	echo start >$files/control || return 1
	"$load" "$@" >"$truth" || return 1
	echo stop >$files/control
}

# The same, and takes the trace.
recorded() { # LOAD'S OPTIONS
	session --times "$work/times" "$@" && session_take run
}

jobs_of_the_load() { # DURATION_US [HOW]
	"$dir/stream_jobs" "$work/times" "$1" "${2:-apart}" "$work"/run.[0-9]*
}

# offered = written + each reason not to write
accounted() {
	same "events that went nowhere" 0 "$(session_unaccounted)"
}

# Every job submitted and completed; no in-flight jobs left.
all_there() {
	same "submit events" "$(told 2)" "$(events_of submit)" &&
	same "complete events" "$(told 2)" "$(events_of complete)" &&
	same "lost" 0 "$(session_stat lost)" &&
	same "in flight" 0 \
	     "$(awk -F, 'NR > 1 { sum += $6 } END { print sum + 0 }' $files/rings)" &&
	accounted
}

# ... and each was executed.
all_ran() {
	for step in pick commit start end; do
		same "$step events" "$(told 2)" "$(events_of $step)" || return 1
	done
}

plain_jobs() {
	recorded --jobs 1000 --duration 50 && all_there && all_ran && jobs_of_the_load 50
}

# The check of the others is one itself: it sees whatever the load says otherwise, or a
# record that is not there.
other_jobs_are_seen() {
	recorded --jobs 100 --error-every 7 --duration 50 && jobs_of_the_load 50 &&
	cp "$work/times" "$work/true" || return 1
	ret=0
	# the ring, the seqno, begun late, ended early, done late, the error, no such job
	# shellcheck disable=SC2016 # of awk
	for lie in '$1 = "copy1"' '$3 = $3 "0"' '$4 = $6' '$5 = $4' '$6 = $7' '$8 = -$8 - 5' \
		   next; do
		awk -F, -v OFS=, "NR == 10 { $lie } { print }" "$work/true" >"$work/times"
		! jobs_of_the_load 50 >/dev/null || { echo "# not seen: $lie"; ret=1; }
	done
	cp "$work/true" "$work/times"
	for how in killed chained; do
		! jobs_of_the_load 50 $how >/dev/null || { echo "# not seen: none is $how"; ret=1; }
	done
	! jobs_of_the_load 60000000 >/dev/null || { echo "# not seen: they are too short"; ret=1; }
	for trace in "$work"/run.[0-9]*; do
		[ -s "$trace" ] || continue
		cp "$trace" "$work/whole"
		head -c $(($(wc -c <"$work/whole") / 2)) "$work/whole" >"$trace"
		! jobs_of_the_load 50 >/dev/null 2>&1 || { echo "# not seen: a cut"; ret=1; }
		cp "$work/whole" "$trace"
	done
	return $ret
}

many_processes() {
	recorded --jobs 1000 --procs 3 --ctxs 2 --threads 2 --duration 50 --batch 4 &&
	all_there && all_ran && jobs_of_the_load 50
}

dependencies() {
	recorded --jobs 400 --depends --duration 50 && all_there && all_ran &&
	[ "$(events_of blocked)" -gt 0 ] && jobs_of_the_load 50 chained
}

errors() {
	recorded --jobs 400 --error-every 7 --duration 20 && all_there && all_ran &&
	same "failed jobs" 57 "$(told 4)" && jobs_of_the_load 20
}

all_errors_came() { # NUMBER
	[ "$(events_of error)" -ge "$1" ]
}

# Each hang is one timeout and one reset. If the kernel reports it, there is also an
# event for the device, which comes after the job's end.
hangs() {
	each=2
	[ ! -d $drm_events/drm_dev_wedged ] || each=3
	echo start >$files/control || return 1
	"$load" --jobs 40 --hang-every 20 --duration 20 >"$truth" || return 1
	wait_until 120 all_errors_came $((each * $(told 5)))
	echo stop >$files/control &&
	all_there && all_ran && same "jobs that timed out" 2 "$(told 5)" &&
	same "error events" $((each * 2)) "$(events_of error)"
}

# Jobs that are killed before they run still complete. If the kernel reports the kill,
# grtrace records it.
killed_jobs() {
	# each ring gets work for 10 s at once, so that even a slow kernel has a backlog
	recorded --jobs 400 --batch 100 --kill --duration 100000 &&
	all_there && [ "$(told 4)" -gt 0 ] && jobs_of_the_load 100000 killed || return 1
	[ ! -d $sched_events/drm_sched_job_kill ] ||
	same "error events" $(($(told 2) - $(events_of pick))) "$(events_of error)"
}

# With this configuration, and none after it.
session_with() { # CONFIG LOAD'S OPTIONS
	echo "$1" >$files/config
	shift
	session "$@"
	ret=$?
	configure_defaults
	return $ret
}

engine_filter() {
	# bit 3: copy
	session_with filter_engine_mask=8 --jobs 400 --duration 20 || return 1
	copies=$(awk -F, '$1 == "copy0" { print $2 }' "$truth")
	[ "$copies" -gt 0 ] && same "submit events" "$copies" "$(events_of submit)" && accounted
}

device_filter() {
	session_with filter_device=0000:7f:1f.7 --jobs 100 --duration 20 &&
	same "submit events" 0 "$(events_of submit)" &&
	[ "$(session_stat filtered_device)" -gt 0 ] && accounted
}

# Counted here, and not by the kernel: 6 events of each job, written or lost.
small_channel() {
	# submit, pick, commit, start, end, complete
	session_with "subbuf_size=4096 n_subbufs=2 filter_type_mask=0x1f2" \
		--jobs 2000 --procs 2 --duration 10 &&
	[ "$(session_stat lost)" -gt 0 ] && accounted &&
	same "events written or lost" 12000 $(($(session_stat written) + $(session_stat lost)))
}

# On a GPU that is at work, no kind of event begins later or ends earlier than another by
# more than a job takes, here 100 ms.
edges() {
	load_start --duration 100000 --depth 3 || return 1
	sleep 1
	echo start >$files/control && sleep 3 && echo stop >$files/control
	ret=$?
	load_end
	[ $ret -eq 0 ] && session_take run || return 1
	records "$work"/run.[0-9]* | awk -v job=100 '
		$4 ~ /^(submit|pick|commit|start|end|complete)$/ {
			if (!($4 in first))
				first[$4] = $2 / 1e6
			last[$4] = $2 / 1e6
		}
		END {
			for (kind in first) {
				kinds++
				if (!begin || first[kind] < begin)
					begin = first[kind]
				if (last[kind] > end)
					end = last[kind]
			}
			for (kind in first) {
				late = first[kind] - begin
				early = end - last[kind]
				printf "# %s: %.0f ms after the first, ", kind, late
				printf "%.0f ms before the last\n", early
				wrong += late > 1.5 * job || early > 1.5 * job
			}
			exit kinds != 6 || wrong
		}'
}

needs_modules
session_stop
configure_defaults
run_tests plain_jobs other_jobs_are_seen many_processes dependencies errors hangs killed_jobs \
	engine_filter device_filter small_channel edges
