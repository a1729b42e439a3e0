# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the shell tests: the session, through its files.

files=/sys/kernel/debug/grtrace

session_stat() { # NAME
	awk -v name="$1" '$1 == name { print $2 }' $files/stats
}

session_running() {
	[ "$(cat $files/control)" = running ]
}

session_stop() {
	[ "$(cat $files/control)" != running ] || echo stop >$files/control
}

# Events that went nowhere: offered, less those written and those that were not,
# for each of the reasons. 0 unless a counter is wrong.
session_unaccounted() {
	awk '
		$1 == "offered" { left += $2 }
		$1 ~ /^(written|sampled_out|rate_limited_drops|backpressure_drops)$/ ||
		$1 ~ /^(filtered_.*|writes_(reserve_fail|oversize|nmi))$/ { left -= $2 }
		END { print left + 0 }' $files/stats
}

# No session runs, and its counters add up.
session_settled() {
	session_stop
	[ "$(session_unaccounted)" -eq 0 ]
}
