#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The other tracers see what a session sees, at the same time: trace-cmd, perf
# and a BPF program attach to the events that it is attached to, and grtrace
# merge finds each job of theirs at the time of ours. And the report counts them.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

events=/sys/kernel/tracing/events
load="$dir/mockload"
jobs=200

# The scheduler's event of a job that is picked, by the kernel's age.
picked() {
	for event in drm_sched_job_run drm_run_job; do
		if [ -d "$events/gpu_scheduler/$event" ]; then
			echo "$event"
			return
		fi
	done
	return 1
}

# Jobs while a session runs and COMMAND... records beside it, which ends by
# itself when its child does.
beside() { # COMMAND...
	echo clock=mono >$files/config || return 1
	grtrace record -D "$work" -o gpu -- \
		"$@" "$load" --jobs $jobs --duration 20 >"$work/log" 2>&1 && return
	sed 's/^/# /' "$work/log"
	return 1
}

# The n-th PICK of the session and the n-th event of the other are close: both
# come from one trace event. Half of them are less than 0.5 ms apart: the others
# leave time to an emulator, which translates code that it meets for the first
# time, and may stand still between the two probes. Where the event names the
# fence, it is that of the job.
together() {
	grparse -q -f '%T%9t %a %x:%S %m\n' "$work/merged" >"$work/lines" || return 1
	awk -v event="$(picked)" '
		$2 == "I" { ours[++jobs] = $1; keys[$3] }
		index($0, event ": ") {
			theirs[++events] = $1
			if (!match($0, /fence=[0-9]+:[0-9]+/))
				next
			fences++
			found += substr($0, RSTART + 6, RLENGTH - 6) in keys
		}
		END {
			for (n = 1; n <= events; n++) {
				apart = theirs[n] - ours[n]
				if (apart < 0)
					apart = -apart
				sum += apart
				far += apart > 500000
				if (apart > worst)
					worst = apart
			}
			mean = events ? sum / events : 0
			printf "# %d jobs, %d events beside them, ", jobs, events
			printf "%d ns apart, %d at most; ", mean, worst
			printf "%d of %d fences are jobs\n", found, fences
			exit !jobs || jobs != events || far * 2 > events || found != fences
		}' "$work/lines"
}

# The events EVENT go to a file of their own while COMMAND... runs.
by_trace_cmd() { # EVENT
	echo "trace-cmd record -q -C mono -e gpu_scheduler:$1 -o $work/trace.dat"
}

by_perf() { # EVENT
	echo "perf record -q -a -k mono -e gpu_scheduler:$1 -o $work/perf.data"
}

perf_events() { # EVENT
	perf script -i "$work/perf.data" | grep -c "$1"
}

merge() { # FILE...
	rm -f "$work/merged"
	grtrace merge -o "$work/merged" "$work/gpu" "$@" >"$work/log" 2>&1
	status=$?
	sed 's/^/# /' "$work/log"
	return $status
}

# Commands of words without a space in them:
# shellcheck disable=SC2046
trace_cmd() {
	beside $(by_trace_cmd "$(picked)") || return 1
	merge "$work/trace.dat" && together
}

# shellcheck disable=SC2046
perf_record() {
	beside $(by_perf "$(picked)") || return 1
	same "events of perf script" $jobs "$(perf_events "$(picked)")" || return 1
	merge "$work/perf.data" && together
}

# shellcheck disable=SC2046
both() {
	beside $(by_trace_cmd "$(picked)") $(by_perf "$(picked)") || return 1
	merge "$work/trace.dat" "$work/perf.data" || return 1
	grtrace verify "$work/merged" >"$work/verified" || {
		sed 's/^/# /' "$work/verified"
		return 1
	}
	same "events of both" $((2 * jobs)) \
	     "$(grparse -q -f '%m\n' "$work/merged" | grep -c "$(picked)")"
}

# Our own trace events, on a kernel that has them.
# shellcheck disable=SC2046
own_events() {
	beside $(by_perf drm_sched_job_hw_fence) || return 1
	same "events of perf script" $jobs "$(perf_events drm_sched_job_hw_fence)"
}

bpf() {
	echo clock=mono >$files/config || return 1
	grtrace record -D "$work" -o gpu -- bpftrace -q \
		-e "tracepoint:gpu_scheduler:$(picked) { @jobs = count(); }" \
		-c "$load --jobs $jobs --duration 20" >"$work/log" 2>&1 || {
		sed 's/^/# /' "$work/log"
		return 1
	}
	same "what the program counted" $jobs "$(sed -n 's/^@jobs: //p' "$work/log")"
}

report_counts_the_jobs() {
	grtrace record -D "$work" -o run -- "$load" --jobs 300 --depends \
		--error-every 30 --duration 50 >"$work/truth" 2>"$work/err" &&
	grtrace report --csv "$work/jobs.csv" -i "$work/run" >"$work/text" &&
	same "jobs in the table" 300 \
	     "$(awk 'NR > 1' "$work/jobs.csv" | wc -l)" &&
	same "failed jobs" \
	     "$(grep -E '^[a-z]+0,' "$work/truth" |
		awk -F, '{ sum += $4 } END { print sum }')" \
	     "$(grep -c ',failed' "$work/jobs.csv")"
}

# A GPU that is at work when recording begins and ends: a session shows it as busy as tracefs
# does, to 2 % of the time.
busy_at_both_ends() {
	load_start --duration 20000 --depth 1 || return 1
	sleep 1
	grtrace record --source tracefs -w 4 -D "$work" -o traced >"$work/log.traced" 2>&1 &
	tracefs=$!
	grtrace record -w 4 -D "$work" -o session >"$work/log" 2>&1
	ret=$?
	wait $tracefs && [ $ret -eq 0 ]
	ret=$?
	load_end
	if [ $ret -ne 0 ]; then
		sed 's/^/# /' "$work/log" "$work/log.traced"
		return 1
	fi
	for one in session traced; do
		grtrace report --busy -i "$work/$one" >"$work/busy" || return 1
		awk -v one=$one '
			/^BUSY AND IDLE/ { is_busy = 1 }
			!NF { is_busy = 0 }
			is_busy && $3 ~ /^[0-9.]+$/ { print $2, one, $3 }' "$work/busy"
	done >"$work/rings"
	awk '
		{ busy[$1, $2] = $3; rings[$1] }
		END {
			for (ring in rings) {
				n++
				apart = busy[ring, "session"] - busy[ring, "traced"]
				printf "# %s: %s %% and %s %%\n", ring, busy[ring, "session"], busy[ring, "traced"]
				wrong += apart > 2 || apart < -2 || !busy[ring, "traced"]
			}
			exit n < 2 || wrong
		}' "$work/rings"
}

after() {
	session_stop
}

at_end() {
	modules_unload
}

why_not() { # TEST
	case $1 in
	trace_cmd) command -v trace-cmd >/dev/null || echo "there is no trace-cmd" ;;
	perf_record|both) command -v perf >/dev/null || echo "there is no perf" ;;
	bpf)
		command -v bpftrace >/dev/null || echo "there is no bpftrace"
		[ -d /sys/fs/bpf ] || echo "this kernel runs no BPF programs"
		;;
	own_events)
		[ -d "$events/gpu_scheduler/drm_sched_job_hw_fence" ] || echo "this kernel has none"
		;;
	esac
}

needs grtrace
needs_modules
run_tests trace_cmd perf_record both bpf own_events report_counts_the_jobs busy_at_both_ends
