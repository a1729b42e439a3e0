#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The monitors on this kernel: they count what was done, end when they are
# asked to, and say what they cannot see.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

# shellcheck source=tools/grtrace/tests/guest/monitor.sh
. "$dir/monitor.sh"

load="$dir/mockload"

# "ring submitted" of the load's output, sorted.
of_load() { # FILE
	awk -F, '/^[a-z]+0,/ { print $1, $2 }' "$1" | sort
}

# The same of a summary as JSON, with a column's name.
of_summary() { # FILE COLUMN
	jq -r 'select(.table == "rings") | "\(.ring) \(.'"$2"')"' "$1" | sort
}

sched_counts_the_jobs() {
	grtrace monitor sched --summary --json -- \
		"$load" --jobs 400 --depends --procs 2 --duration 100 \
		>"$work/out" 2>"$work/err" || return 1
	for column in "jobs" "done"; do
		same "$column" "$(of_load "$work/err")" "$(of_summary "$work/out" $column)" ||
			return 1
	done
	same "jobs still there" 0 \
		"$(jq 'select(.table == "rings") | .queue+.hw' "$work/out" | awk '{ n += $1 } END { print n }')" &&
	same "latencies out of order" 0 \
		"$(jq -r 'select(.table == "rings") | select(.run_avg_us < 90 or .run_max_us < .run_avg_us) | .ring' \
			"$work/out" | wc -l)"
}

# An entity is one process's on one ring, and its jobs are all there. A cause is a ring's job,
# or it is not known.
sched_entities() {
	grtrace monitor sched --summary --json -- \
		"$load" --jobs 400 --depends --procs 2 --duration 100 \
		>"$work/out" 2>"$work/err" || return 1
	same "jobs by ring" "$(of_load "$work/err")" \
		"$(jq -s -r 'map(select(.table == "entities")) | group_by(.ring)[] |
			"\(.[0].ring) \(map(.done) | add)"' "$work/out" | sort)" &&
	same "whose" mockload "$(jq -r 'select(.table == "entities") | .comm' "$work/out" | sort -u)" &&
	same "processes" 2 "$(jq -r 'select(.table == "entities") | .pid' "$work/out" | sort -u | wc -l)" &&
	same "deeper than the queue of the kernel's own count" "" "$(jq -r 'select(.table == "rings" and
		.entity_queue_max > .queue_max) | .ring' "$work/out")" &&
	same "more that held jobs up than stalls" "" "$(jq -s -r '(map(select(.table == "blocked") | .blocks) |
		add) as $blocks | (map(select(.table == "rings") | .stalls) | add) as $stalls |
		select(($blocks // 0) < $stalls) | "\($blocks) \($stalls)"' "$work/out")"
}

# Each job has a line for each step, in its order.
sched_lines() {
	grtrace monitor sched -v --json -- "$load" --jobs 200 --duration 50 \
		>"$work/out" 2>"$work/err" || return 1
	grep '^{' "$work/out" | jq -r '[.fence, .event, .pid, .comm] | @tsv' >"$work/events"
	awk -F'\t' '
		{ step = 0 }
		$2 ~ /queue$|^drm_sched_job$/ { step = 1 }
		$2 ~ /run/ { step = 2 }
		$2 ~ /done|process/ { step = 3 }
		step == 1 { at[$1] = 1; n++; if ($4 != "mockload") print "# queued by " $4 }
		step > 1 { if (at[$1] != step - 1) print "# " $0; at[$1] = step }
		END {
			if (n != 200)
				print "# " n " jobs"
			for (job in at)
				if (at[job] != 3)
					print "# " job
		}
	' "$work/events" >"$work/wrong"
	head -n 5 "$work/wrong"
	[ ! -s "$work/wrong" ]
}

sched_filters() {
	"$load" --jobs 100 --duration 1000 >/dev/null &
	grtrace monitor sched --summary --json --ring render0 -- \
		"$load" --jobs 100 --duration 50 >"$work/out" 2>"$work/err" || return 1
	wait
	same "rings" render0 "$(jq -r 'select(.table != "blocked") | .ring' "$work/out" | sort -u)" || return 1
	# one whose threads submit: a job in each of 50 rounds of 2
	sh -c 'kill -STOP $$; exec "$0" 2 50 quiet' "$dir/ioctlload" >"$work/truth" &
	pid=$!
	monitor_start sched --summary --json -p $pid || return 1
	"$load" --jobs 50 --duration 50 >/dev/null
	kill -CONT $pid
	wait $pid
	monitor_end TERM &&
	same "jobs of the process" 100 \
	     "$(of_summary "$work/out" jobs | awk '{ n += $2 } END { print n + 0 }')"
}

# Tables while it runs add up, and there is a summary.
sched_intervals() {
	grtrace monitor sched --json -i 0.1 -- "$load" --jobs 4000 --duration 500 \
		>"$work/out" 2>"$work/err" || {
		sed 's/^/# /' "$work/err"
		return 1
	}
	# of each ring: what was submitted by then is done, queued or on the hardware
	same "jobs not in the sum" "0 0 0 0" "$(jq -s -r 'group_by(.ring) | map((map(.jobs) | add) -
		(map(.done) | add) - .[-1].queue - .[-1].hw) | join(" ")' "$work/out")" || return 1
	lines=$(jq -s 'map(select(.ring == "render0")) | length' "$work/out")
	if [ "$lines" -lt 2 ]; then
		echo "# $lines intervals of render0"
		sed 's/^/# /' "$work/out"
		return 1
	fi
	grtrace monitor sched --plain -i 0.1 -- "$load" --jobs 100 --duration 50 \
		>"$work/out" 2>"$work/err" && says "$work/out" "Summary of sched" &&
	says "$work/out" " 0 events lost"
}

# Events that come faster than they are read: there are tables nevertheless, and
# it ends when it is asked to.
sched_overload() {
	monitor_start sched --json -i 0.1 -b 8192 || return 1
	setsid "$load" --jobs 100000000 --procs 2 --duration 10 >/dev/null 2>&1 &
	overload=$!
	# it has a moment now and then; a slow machine needs more of them
	for _ in $(seq 300); do
		for _ in 1 2 3 4 5 6; do
			kill -STOP "$monitor_pid"
			sleep 0.2
			kill -CONT "$monitor_pid"
		done
		tables=$(grep -c '"ring": *"render0"' "$work/out")
		[ "$tables" -lt 2 ] || break
	done
	kill -TERM "$monitor_pid"
	wait_until 120 monitor_ended
	ended=$?
	kill -- "-$overload"
	wait "$overload" 2>/dev/null
	[ $ended -eq 0 ] || echo "# it does not end"
	[ "$tables" -ge 2 ] || echo "# $tables tables with render0"
	monitor_end TERM 2>/dev/null && [ $ended -eq 0 ] && [ "$tables" -ge 2 ]
}

monitor_ended() {
	! kill -0 "$monitor_pid" 2>/dev/null
}

ends_by_signals() {
	for signal in INT TERM HUP; do
		# a shell has its background jobs ignore SIGINT, which is taken anyway
		monitor_start sched --plain || return 1
		monitor_end $signal && says "$work/out" "Summary of sched" || return 1
	done
}

on_a_terminal() {
	TERM=xterm script -qec "grtrace monitor sched -i 0.2 -w 1" /dev/null \
		</dev/null >"$work/out" && says "$work/out" "Summary of sched" &&
	says "$work/out" "grtrace monitor sched  "
}

# A reader that stands still: losses are reported.
sched_loss() {
	monitor_start sched --summary -b 32 || return 1
	kill -STOP "$monitor_pid"
	"$load" --jobs 4000 --duration 10 >/dev/null
	kill -CONT "$monitor_pid"
	monitor_end TERM && says "$work/err" "events were lost"
}

without_rights() {
	# a user without rights may not look into the folder of the programs either
	chmod 777 "$work"
	cp "$(command -v grtrace)" "$(command -v grtrace)-monitor" "$work" || return 1
	fails "try sudo" setpriv --reuid 65534 --clear-groups --bounding-set=-all \
		"$work/grtrace" monitor sched -w 1
}

without_its_events() {
	modules_unload && modprobe -r gpu-sched || return 1
	fails "gpu-sched" grtrace monitor sched -w 1
	ret=$?
	modules_load && return $ret
}

# Why a test makes no sense here, or nothing.
why_not() { # TEST
	case $1 in
	without_its_events)
		! module_built_in gpu_sched || echo "gpu-sched is built in" ;;
	on_a_terminal)
		if ! command -v script >/dev/null; then
			echo "there is no program called script"
		elif [ ! -e /dev/ptmx ]; then
			echo "this kernel has no pseudo-terminals"
		fi ;;
	esac
}

needs grtrace jq setpriv
needs_modules
run_tests sched_counts_the_jobs sched_entities sched_lines sched_filters sched_intervals \
	sched_overload ends_by_signals on_a_terminal sched_loss without_rights \
	without_its_events
