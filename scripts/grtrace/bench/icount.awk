# SPDX-License-Identifier: GPL-2.0
#
# Turns the cases and the guest's lines about them into tables in Markdown; CSV
# goes to the file csv, the bars to the file bars.  The first input is
# bench/cases, the second the output of guest/bench.sh.

function trim(s) { gsub(/^ +| +$/, "", s); return s }
function quoted(s) { gsub(/"/, "\"\"", s); return "\"" s "\"" }
function has(id) { return (id in least) }
function figure(n) { return sprintf("%.2f", n) }
function bar(name, value, unit, limit) {
	printf "BAR %s %s %s %s %s\n", name, value, unit, limit, \
		(value + 0 <= limit + 0 ? "ok" : "short") >bars
}

BEGIN { FS = "|" }

# ------------------------------------------------------------------ the cases
FNR == NR && /^## / { order[++n] = "## " substr($0, 4); next }
FNR == NR && (/^#/ || NF < 5) { next }
FNR == NR {
	id = trim($1)
	order[++n] = id
	what[id] = trim($2)
	config[id] = trim($4)
	next
}

# ---------------------------------------------------------------- the results
{ status[$1] = $2; seen[++lines] = $1 }
$6 == "" { next }
$1 ~ /^empty-/ { empty[substr($1, 7)] = $6 / $4 }
{
	context = $1 ~ /-soft$/ ? "softirq" : $1 ~ /-hard$|^irq$|^ctx-switch$/ ? "hardirq" : "task"
	# a round of "job" has five events: the loop is shared by them
	share = $1 ~ /job$|^slow-|^snapshot-|^everything$/ ? 5 : 1
	least[$1] = $6 / $4 - empty[context] / share
	mean[$1] = $7 / $5 / $4 - empty[context] / share
	bytes[$1] = $9 ? $10 / $9 : 0
	part[$1] = $11 ? $9 / $11 : 0
	# the few that were written before all were refused say nothing
	if ($11 && part[$1] < 0.1)
		bytes[$1] = 0
	raw[$1] = $3 "," $4 "," $5 "," $6 "," $7 "," $8 "," $9 "," $10 "," $11
}

function row(id, name,   note) {
	if (!has(id)) {
		printf "| %s | n/a | | | | | %s |\n", name, \
			(id in status ? substr(status[id], 6) : "not run")
		missing++
		return
	}
	note = status[id] != "ok" ? status[id] : \
		part[id] > 0 && part[id] < 1 ? sprintf("%.1f %% written", 100 * part[id]) : ""
	printf "| %s | %s | %s | %s | %s | %s | %s |\n", name, figure(least[id]), figure(mean[id]), \
		(has("clock") ? figure(least[id] / least["clock"]) : ""), \
		(has("ftrace-mono") ? figure(least[id] / least["ftrace-mono"]) : ""), \
		(bytes[id] ? figure(bytes[id]) : ""), note
}

function head(title) {
	printf "\n### %s\n\n", title
	print "| case | instructions | all in | of a clock read | of ftrace | bytes | |"
	print "|---|--:|--:|--:|--:|--:|---|"
}

END {
	print "id,what,config,status,instructions,all_in,unit,events,batches,min,sum,max,written,bytes,offered" >csv
	for (i = 1; i <= n; i++) {
		id = order[i]
		if (id ~ /^## /) {
			head(substr(id, 4))
			if (!first++)
				row("clock", "one clock read alone (`ktime_get_mono_fast_ns`)")
			continue
		}
		row(id, what[id])
		# what a record costs that is kept, when half of them are
		if (id == "sample-half" && has("sample-half") && has("sample-out") && part[id] > 0) {
			kept = (mean[id] - (1 - part[id]) * mean["sample-out"]) / part[id]
			printf "| one that is kept, from the two above | | %s | | | | |\n", figure(kept)
		}
	}

	head("The same event elsewhere, in the same boot")
	row("ftrace-off", "ftrace, event off")
	row("ftrace-mono", "ftrace, clock mono")
	row("ftrace-mono-soft", "ftrace, clock mono, in a softirq")
	row("ftrace-mono-hard", "ftrace, clock mono, in a hardirq")
	row("ftrace-local", "ftrace, its default clock")
	row("ftrace-filtered", "ftrace, refused by its filter")
	row("ring-buffer", "`ring_buffer_lock_reserve()`, 32 bytes, commit: no names, no filter, no order over CPUs")
	row("simple-ring-buffer", "`simple_ring_buffer_reserve()`, 32 bytes, commit: the same, and one writer per CPU")
	row("perf", "perf event, mapped buffer, clock mono")
	row("bpf", "BPF program on the trace event, 32 bytes into a BPF ring buffer")
	row("bpf-raw", "the same on the raw tracepoint")

	for (i = 1; i <= lines; i++) {
		id = seen[i]
		printf "%s,%s,%s,%s,", id, quoted(what[id]), quoted(config[id]), quoted(status[id]) >csv
		if (has(id))
			printf "%.3f,%.3f,%s\n", least[id], mean[id], raw[id] >csv
		else
			print ",,,,,,,,,," >csv
	}

	print ""
	if (has("size"))
		printf "A job record has %s bytes; with packet headers and notes the channel held %s for each.\n", \
			figure(bytes["size"]), figure(bytes["size-channel"])
	if (missing)
		printf "%d case(s) could not be measured: see n/a above.\n", missing
	if (has("submit"))
		bar("record_instructions", figure(least["submit"]), "instructions", 135)
	if (has("submit") && has("ftrace-mono"))
		bar("record_of_ftrace", sprintf("%.4f", least["submit"] / least["ftrace-mono"]), "ratio", 0.1667)
	if (has("size"))
		bar("record_bytes", figure(bytes["size"]), "bytes", 32)
}
