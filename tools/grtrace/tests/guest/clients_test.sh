#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Two opens of one process are two DRM clients: a job has the client that fdinfo names for
# the file it was submitted by, in every recorder; and a client can be chosen.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

# Until 6.16 the kernel does not keep who submitted a job: then there is none.
has_clients() {
	grep -q client_id /sys/kernel/tracing/events/gpu_scheduler/drm_sched_job_queue/format \
		2>/dev/null
}

record() { # SOURCE
	rm -f "$work"/run.*
	grtrace record --source "$1" -D "$work" -o run -- \
		sh -c "$dir/clientload >$work/told" >"$work/log" 2>&1 && [ -s "$work/told" ] &&
	return
	sed 's/^/# /' "$work/log"
	return 1
}

# The columns of the report's rows, as the load prints them.
rows() { # OPTION...
	grtrace report --csv - "$@" -i "$work/run" 2>/dev/null | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["ctx"] "," $at["seqno"] "," $at["client"] }' | sort
}

wanted() { # CLIENT
	if ! has_clients; then
		sed 's/[0-9]*$/NA/' "$work/told"
	else
		grep ",${1:-[0-9]*}\$" "$work/told"
	fi | sort
}

each_job_has_its_client() { # SOURCE
	record "$1" || return 1
	same "clients of fdinfo" 2 "$(cut -d, -f3 "$work/told" | grep -v '^0$' | sort -u | wc -l)" &&
	same "jobs and their clients" "$(wanted)" "$(rows)"
}

recorded() {
	each_job_has_its_client relay
}

traced() {
	each_job_has_its_client tracefs
}

chosen() {
	record relay || return 1
	client=$(sed -n '1s/.*,//p' "$work/told")
	same "jobs of client $client" "$(wanted "$client")" "$(rows --client "$client")" &&
	same "their submissions" 5 "$(grparse -q -f '%a\n' --client "$client" -a submit \
		-i "$work/run" | wc -l)"
}

why_not() { # TEST
	[ "$1" != chosen ] || has_clients ||
		echo "this kernel does not keep who submitted a job"
}

needs grtrace grparse
needs_modules
run_tests recorded traced chosen
