# SPDX-License-Identifier: GPL-2.0
#
# Turns lines of guest/bench_ns.sh into a table.  Each value is the median, over
# the rounds, of the fastest batch of a round; each ratio is the median of the
# ratios within a round.  Bars go to the file bars.

function median_of(what,   i, list) {
	for (i = 0; i < rounds; i++)
		list[i + 1] = ns[i, what] - ns[i, "empty"]
	return median(list, rounds)
}
function ratio(what, other,   i, list) {
	for (i = 0; i < rounds; i++)
		list[i + 1] = (ns[i, what] - ns[i, "empty"]) / (ns[i, other] - ns[i, "empty"])
	return median(list, rounds)
}
function bar(name, value, limit) {
	printf "BAR %s %.2f ratio %s %s\n", name, value, limit, (value <= limit ? "ok" : "short") >bars
}
function row(what, name) {
	printf "| %s | %.1f | %.2f | %.2f |\n", name, median_of(what), ratio(what, "clock"), ratio(what, "ftrace")
}

BEGIN { FS = "|" }
NF == 6 {
	ns[$1, $2] = $4 / $3
	if ($1 + 1 > rounds)
		rounds = $1 + 1
}

END {
	if (!rounds) {
		print "n/a: nothing was measured"
		exit
	}
	print "| | ns | of a clock read | of ftrace |"
	print "|---|--:|--:|--:|"
	row("clock", "one clock read (`ktime_get_mono_fast_ns`)")
	row("off", "hook, no session")
	row("submit", "one record")
	row("fresh", "one record, the first time through the channel")
	row("ftrace", "ftrace, the same event, clock mono")
	row("ring", "`ring_buffer_lock_reserve()`, 32 bytes, commit, clock local")
	row("simple", "`simple_ring_buffer_reserve()`, 32 bytes, commit, clock mono")
	printf "\nMedians of %d rounds, the loop itself (%.2f ns) taken off.\n", rounds, ns[0, "empty"]
	bar("record_of_clock_ns", ratio("submit", "clock"), 1.3)
	bar("record_of_ftrace_ns", ratio("submit", "ftrace"), 0.45)
}
