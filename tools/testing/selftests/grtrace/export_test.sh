#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A capture of this kernel in the formats of other programs, as those programs read
# it: what they find is what the kernel has counted.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

load="$dir/mockload"

# Each kind of event, and how often it was written.
of_kernel() {
	awk -F, 'NR > 1 && $4 { print $2, $4 }' $files/events_by_type | sort
}

# Each ring and its jobs, as the load tells.
of_load() {
	awk -F, '/^[a-z]+0,/ { print $1, $2 }' "$work/truth" | sort
}

# "COUNT NAME" of uniq -c, as above.
counts() {
	sort | uniq -c | awk '{ print $2, $1 }' | sort
}

# Of the kinds that the kernel has, without notes.
kinds() {
	grep -wFf "$work/kinds" | counts
}

alike() { # WHAT: what the files expected and found have
	diff "$work/expected" "$work/found" >"$work/diff" && [ -s "$work/found" ] && return
	echo "# $1:"
	sed 's/^/# /' "$work/diff"
	return 1
}

recorded() {
	grtrace record -D "$work" -o run -- "$load" --jobs 150 --procs 2 --depends \
		--error-every 30 --duration 20 >"$work/truth" 2>"$work/err" || {
		sed 's/^/# /' "$work/err"
		return 1
	}
	of_kernel >"$work/events"
	cut -d' ' -f1 "$work/events" >"$work/kinds"
	grep -qx 'complete 150' "$work/events"
}

export_to() { # FORMAT OPTIONS
	grtrace export --to "$@" -i "$work/run" 2>"$work/err" && return
	sed 's/^/# /' "$work/err"
	return 1
}

query() { # SQL
	sqlite3 -separator ' ' "$work/run.db" "$1"
}

to_sqlite() {
	export_to sqlite -o "$work/run.db" || return 1
	cp "$work/events" "$work/expected"
	query "SELECT type FROM event_row" | kinds >"$work/found"
	alike "events" || return 1
	of_load >"$work/expected"
	query "SELECT ring, count(*) FROM job_row GROUP BY 1 ORDER BY 1" >"$work/found"
	alike "jobs" || return 1
	awk -F, '/^[a-z]+0,/ { n += $4 } END { print n, "ok" }' "$work/truth" >"$work/expected"
	query "SELECT (SELECT count(*) FROM job_row WHERE error), * FROM pragma_integrity_check" \
		>"$work/found"
	alike "failed jobs, and no damage"
}

to_ctf() {
	export_to ctf -o "$work/run.ctf" || return 1
	babeltrace2 --clock-cycles --no-delta "$work/run.ctf" >"$work/text" 2>"$work/err" || {
		sed 's/^/# /' "$work/err"
		return 1
	}
	cp "$work/events" "$work/expected"
	sed 's/^\[[0-9]*\] \([a-z_]*\):.*/\1/' "$work/text" | kinds >"$work/found"
	alike "events" && [ ! -s "$work/err" ]
}

to_json() {
	export_to json -o "$work/run.json" || return 1
	cp "$work/events" "$work/expected"
	jq -r 'select(.row == "event") | .type' "$work/run.json" | kinds >"$work/found"
	alike "events" || return 1
	of_load >"$work/expected"
	jq -r 'select(.row == "job") | .ring' "$work/run.json" | counts >"$work/found"
	alike "jobs"
}

# Every slice ends, and there is one at least of each job.
to_perfetto() {
	export_to perfetto -o "$work/run.perfetto" || return 1
	protoc --decode_raw <"$work/run.perfetto" >"$work/text" 2>"$work/err" || {
		sed 's/^/# /' "$work/err"
		return 1
	}
	begins=$(grep -c '^    9: 1$' "$work/text")
	ends=$(grep -c '^    9: 2$' "$work/text")
	echo "# $begins slices"
	[ "$begins" -ge 150 ] && [ "$begins" = "$ends" ] || return 1
	of_load | cut -d' ' -f1 >"$work/expected"
	sed -n 's/^    2: "\([a-z]*0\)"$/\1/p' "$work/text" | sort -u >"$work/found"
	alike "rings"
}

csv_values() { # COLUMN FILE
	python3 -c '
import csv, sys
for row in csv.DictReader(open(sys.argv[2], newline="")):
    print(row[sys.argv[1]])' "$1" "$2"
}

to_csv() {
	export_to csv -o "$work/run.csv" &&
	export_to csv --rows jobs -o "$work/jobs.csv" || return 1
	cp "$work/events" "$work/expected"
	csv_values type "$work/run.csv" | kinds >"$work/found"
	alike "events" || return 1
	of_load >"$work/expected"
	csv_values ring "$work/jobs.csv" | counts >"$work/found"
	alike "jobs" || return 1
	awk -F, '/^[a-z]+0,/ { n += $4 } END { print n }' "$work/truth" >"$work/expected"
	csv_values error "$work/jobs.csv" | awk '$1 && $1 != "NA" { n++ } END { print n }' \
		>"$work/found"
	alike "failed jobs"
}

# The events of the kernel by the names that lines of ftrace have, "KIND NAME"; of
# those that ftrace does not have, the name says whose they are.
of_kernel_as() {
	printf '%s\n' "$@" "fence dma_fence_signaled" "wait_enter dma_fence_wait_start" \
		"wait_exit dma_fence_wait_end" |
		awk 'NR == FNR { name[$1] = $2; next }
		{ print ($1 in name ? name[$1] : "grtrace_" $1), $2 }' - "$work/events" | sort
}

names_of_lines() {
	sed -n 's/^.* [0-9]*\.[0-9]*: \([a-z_]*\): .*/\1/p' "$work/run.text" |
		grep -vx tracing_mark_write | counts
}

# Each of the 150 jobs has one line of each of these.
lines_of_each_job() { # NAME...
	for name; do
		sed -n "s/.* $name: .*fence=\([0-9a-f:]*\).*/\1/p" "$work/run.text" |
			sort >"$work/found"
		[ "$name" != "$1" ] || sort -u "$work/found" >"$work/expected"
		alike "jobs of $name" || return 1
	done
	[ "$(wc -l <"$work/found")" = 150 ]
}

to_text() {
	export_to text -o "$work/run.text" || return 1
	of_kernel_as "submit drm_sched_job_queue" "pick drm_sched_job_run" \
		"commit drm_sched_job_hw_fence" "complete drm_sched_job_done" \
		"dep drm_sched_job_add_dep" "blocked drm_sched_job_unschedulable" \
		>"$work/expected"
	names_of_lines >"$work/found"
	alike "lines" && lines_of_each_job drm_sched_job_queue drm_sched_job_run drm_sched_job_done
}

to_text_old() {
	export_to text-old -o "$work/run.text" || return 1
	of_kernel_as "submit drm_sched_job" "pick drm_run_job" "complete drm_sched_process_job" \
		"blocked drm_sched_job_wait_dep" >"$work/expected"
	names_of_lines >"$work/found"
	alike "lines" && lines_of_each_job drm_sched_job drm_run_job drm_sched_process_job
}

why_not() { # TEST
	case $1 in
	to_sqlite) program=sqlite3 ;;
	to_ctf) program=babeltrace2 ;;
	to_json) program=jq ;;
	to_perfetto) program=protoc ;;
	to_csv) program=python3 ;;
	*) return ;;
	esac
	command -v "$program" >/dev/null || echo "there is no $program"
}

needs grtrace grparse
needs_modules
session_stop
run_tests recorded to_sqlite to_ctf to_json to_perfetto to_csv to_text to_text_old
