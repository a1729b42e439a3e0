# SPDX-License-Identifier: GPL-2.0
#
# Rows of CSV in short, for review: how many there are, what each column holds, and each row
# of which the number is one of the first three or a multiple of STEP.
#
# A column of numbers is the exact sum of their last nine digits, a column of texts how often
# each occurs, or how many bytes if there are more than 20 or sentences. A row is printed
# without its NA.

# Cuts a line at its commas, but those in quotes.
function cut(line,    n, at, begin, one, quoted)
{
	n = 0
	begin = 1
	for (at = 1; at <= length(line) + 1; at++) {
		one = substr(line, at, 1)
		if (one == "\"") {
			quoted = !quoted
		} else if (one == "" || one == "," && !quoted) {
			cells[++n] = substr(line, begin, at - begin)
			begin = at + 1
		}
	}
	return n
}

NR == 1 {
	columns = cut($0)
	for (i = 1; i <= columns; i++)
		name[i] = cells[i]
	next
}

{
	row = ""
	n = cut($0)
	for (i = 1; i <= n; i++) {
		cell = cells[i]
		if (cell == "NA")
			continue
		row = row " " name[i] "=" cell
		known[i]++
		if (!((i, cell) in times))
			value[i, ++values[i]] = cell
		times[i, cell]++
		bytes[i] += length(cell)
		text[i] = text[i] || cell !~ /^-?[0-9]+$/
		last = substr(cell, length(cell) > 9 ? length(cell) - 8 : 1)
		sum[i] += cell ~ /^-.........../ ? -last : last
	}
	if (NR <= 4 || (NR - 1) % STEP == 0)
		print NR - 1 ":" row
}

END {
	print "rows: " NR - 1
	for (i = 1; i <= columns; i++) {
		if (!known[i])
			continue
		line = name[i] ": " known[i] " known, " values[i] " different, "
		if (!text[i]) {
			line = line sprintf("sum %.0f", sum[i])
		} else if (values[i] > 20 || bytes[i] > 20 * known[i]) {
			line = line bytes[i] " bytes"
		} else {
			for (j = 1; j <= values[i]; j++)
				line = line (j > 1 ? ", " : "") value[i, j] " " times[i, value[i, j]]
		}
		print line
	}
}
