# SPDX-License-Identifier: GPL-2.0
#
# Makes the cover letters' table of a record's cost from icount.csv and from the
# table that ns.awk makes of ns.csv.

/^\|/ {
	count = split($0, cell, / *\| */)
	if (cell[2] ~ /^one clock read/) ns["clock"] = cell[3]
	if (cell[2] == "one record") ns["submit"] = cell[3]
	if (cell[2] ~ /^ftrace,/) ns["ftrace"] = cell[3]
	if (cell[2] ~ /^`ring_buffer/) ns["ring"] = cell[3]
	if (cell[2] ~ /^`simple/) ns["simple"] = cell[3]
	next
}
{
	# the texts, which may have commas
	gsub(/"[^"]*"/, "")
	split($0, field, ",")
	instructions[field[1]] = field[5]
	if (field[13] > 0)
		bytes[field[1]] = field[14] / field[13]
}

function row(what, ours, theirs, digits) {
	if (ours == "")
		return
	printf "\t%-38s %9.*f", what, digits, ours
	if (theirs > 0)
		printf " %9.*f %7.2f", digits, theirs, ours / theirs
	print ""
}

END {
	if (instructions["submit"] == "" || instructions["ftrace-mono"] == "") {
		print "letter.awk: no instructions of a record and of ftrace" >"/dev/stderr"
		exit 1
	}
	printf "\t%-38s %9s %9s %7s\n", "", "grtrace", "ftrace", "ratio"
	row("instructions, under QEMU's icount", instructions["submit"], instructions["ftrace-mono"], 0)
	row("  of which the clock", instructions["clock"])
	row("  while nobody records", instructions["hook-off"], instructions["ftrace-off"], 0)
	row("  beside a bare ring_buffer", instructions["submit"], instructions["ring-buffer"], 0)
	row("nanoseconds, User Mode Linux", ns["submit"], ns["ftrace"], 1)
	row("  of which the clock", ns["clock"], "", 1)
	row("  beside a bare ring_buffer", ns["submit"], ns["ring"], 1)
	row("  beside a bare simple_ring_buffer", ns["submit"], ns["simple"], 1)
	row("bytes", bytes["submit"], bytes["ftrace-mono"], 0)
}
