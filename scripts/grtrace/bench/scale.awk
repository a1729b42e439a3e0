# SPDX-License-Identifier: GPL-2.0
#
# Lines of guest/bench_scale.sh to a table: medians of the runs, least and most.
# Where the runs of the two orders overlap, the table says so.

function of(order, cpus,   i, list) {
	for (i = 1; i <= count[order, cpus]; i++)
		list[i] = rate[order, cpus, i]
	low = high = list[1]
	for (i in list) {
		low = list[i] < low ? list[i] : low
		high = list[i] > high ? list[i] : high
	}
	least[order] = low
	most[order] = high
	range[order] = sprintf("%.2f to %.2f", low / 1e6, high / 1e6)
	return median(list, count[order, cpus])
}

BEGIN { FS = "|" }
$1 == "n/a" { why[$2] = $3; next }
NF == 5 {
	rate[$1, $2, ++count[$1, $2]] = $3 * 1e9 / $4
	events += $3
	written += $5
	next
}

END {
	print "| CPUs | order=gseq, M records/s | runs | order=clock, M records/s | runs | clock : gseq | of one CPU, gseq | of one CPU, clock | |"
	print "|--:|--:|--:|--:|--:|--:|--:|--:|---|"
	for (cpus = 1; cpus <= 8; cpus *= 2) {
		if (!count["gseq", cpus]) {
			printf "| %d | n/a | | n/a | | | | | %s |\n", cpus, why[cpus]
			continue
		}
		gseq = of("gseq", cpus)
		clock = of("clock", cpus)
		if (cpus == 1) {
			gseq1 = gseq
			clock1 = clock
		}
		printf "| %d | %.2f | %s | %.2f | %s | %.2f | %.2f | %.2f | %s |\n", cpus, gseq / 1e6, \
			range["gseq"], clock / 1e6, range["clock"], clock / gseq, \
			gseq / gseq1, clock / clock1, \
			(least["clock"] <= most["gseq"] && least["gseq"] <= most["clock"] ? \
			 "the runs overlap: no difference shown" : "")
	}
	printf "\nOf %d events of all runs %d were written.\n", events, written
}
