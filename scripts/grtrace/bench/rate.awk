# SPDX-License-Identifier: GPL-2.0
#
# Lines of guest/bench_rate.sh to a table.

BEGIN { FS = "|" }
$1 == "best" { best[$2] = $3; limit[$2] = $4 }
$1 == "run" && $6 > 0 && (!lost[$2] || $3 < lost[$2]) { lost[$2] = $3 }

function row(tool, name) {
	if (best[tool] !~ /^[0-9]+$/) {
		printf "| %s | n/a | | %s |\n", name, (limit[tool] != "" ? limit[tool] : "not run")
		return
	}
	printf "| %s | %d | %s | %s |\n", name, best[tool], (lost[tool] ? lost[tool] : ""), \
		(limit[tool] == "load" ? "no loss: this guest could not offer more" : "")
}

END {
	print "| recorder | events/s without loss | lost at | |"
	print "|---|--:|--:|---|"
	row("grtrace", "`grtrace record`")
	row("trace-cmd", "`trace-cmd record`, clock mono")
	if (best["grtrace"] > 0 && best["trace-cmd"] > 0)
		printf "\nRatio: %.2f\n", best["grtrace"] / best["trace-cmd"]
}
