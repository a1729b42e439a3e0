# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Runs the parts of a benchmark, and shows the bars that they left in the file $bars.
# Each part is a function part_NAME, whose output goes into the file $report.
# shellcheck disable=SC2034,SC2154

# measure NAME...: status is 1 when one of them failed.
measure() {
	local name part_status
	for name; do
		note "measuring: $name"
		printf '\n' | tee -a "$report"
		# Not "if part_...": what fails in there shall end it.
		set +e
		( set -e; "part_$name" ) | tee -a "$report"
		part_status="${PIPESTATUS[0]}"
		set -e
		if [ "$part_status" != 0 ]; then
			printf '\nThis could not be measured: the run failed, see the messages.\n' | tee -a "$report"
			status=1
		fi
	done
}

show_bars() {
	[ -s "$bars" ] || return 0
	{ printf '\n## Bars\n\n'; cat "$bars"; } >>"$report"
	printf '\n'
	cat "$bars"
}
