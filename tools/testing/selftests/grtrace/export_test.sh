#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A capture of this kernel in the formats of other programs, as those programs read
# it: what they find is what the kernel has counted.

dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$dir/../kselftest/ktap_helpers.sh"
# shellcheck source=tools/testing/selftests/grtrace/modules.sh
. "$dir/modules.sh"

files=/sys/kernel/debug/grtrace
load="$dir/mockload"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

to_text() {
	export_to text -o "$work/run.text" || return 1
	echo "drm_sched_job_queue 150
drm_sched_job_run 150" >"$work/expected"
	grep -ow 'drm_sched_job_\(queue\|run\)' "$work/run.text" | counts >"$work/found"
	alike "lines"
}

ktap_print_header
for tool in grtrace grparse; do
	if ! command -v $tool >/dev/null; then
		ktap_skip_all "no $tool"
		exit "$KSFT_SKIP"
	fi
done
if ! modules_load; then
	ktap_skip_all "the modules cannot be loaded"
	exit "$KSFT_SKIP"
fi
echo stop >$files/control 2>/dev/null
set -- to_sqlite:sqlite3 to_ctf:babeltrace2 to_json:jq to_perfetto:protoc to_text:grep
ktap_set_plan $(($# + 1))
ktap_test_result recorded recorded
for test; do
	if ! command -v "${test#*:}" >/dev/null; then
		ktap_test_skip "${test%:*} there is no ${test#*:}"
		continue
	fi
	ktap_test_result "${test%:*}" "${test%:*}"
done
ktap_finished
