#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A stored capture stays readable for ever: its output is the output when it was recorded,
# which is beside each capture as text, in the file "golden", without
# sentences: events and jobs by golden.awk (what each column holds, and some of the rows), each
# finding and rest without its text, and of verify the exit status, the kind and place of each
# line, and its numbers. tests/truth judges the rows.
#
# After a change of the output "scripts/grtrace/tools.sh golden" writes these files again, and
# prints the difference, which is to be read.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

captures=$here/../captures

# printed CAPTURE EVENTS JOBS: in short, with this many events and jobs as rows.
printed()
{
	echo '== events'
	"$grparse" -q --csv -D "$1" x > rows 2> err
	[ ! -s err ] || echo 'with a complaint'
	awk -v STEP="$2" -f "$here/golden.awk" rows
	echo '== jobs'
	"$grtrace" report --csv jobs -D "$1" x > printed 2> err
	awk -v STEP="$3" -f "$here/golden.awk" jobs
	echo '== findings'
	"$grtrace" report --json - -D "$1" x 2> err | sed 's/,"title":.*//; s/[{}"]//g; s/,/ /g'
	echo '== verify'
	"$grtrace" verify -D "$1" x > verdict 2> err
	echo "exit $?"
	awk '/]$/ { sub(/.*\//, ""); print substr($1, 1, length($1) - 1), $(NF - 1), $NF; next }
		{ line = $1; for (i = 2; i <= NF; i++) if ($i ~ /[0-9]/) line = line " " $i; print line }' verdict
}

# stored NAME EVENTS JOBS: the output of a capture is that of its file "golden". With WRITE, a
# folder of captures, the file is written, and the difference printed.
stored()
{
	mkdir "$1"
	for file in "$captures/$1"/*.xz; do
		xz -dc "$file" > "$1/$(basename "$file" .xz)"
	done
	printed "$@" > "$1/printed"
	diff -u "$captures/$1/golden" "$1/printed" > out
	code=$?
	[ -z "$WRITE" ] || { cat out && cp "$1/printed" "$WRITE/$1/golden" && code=0; }
	result $code "$1: what is printed of it"
}

# loaded BASE: as many jobs as its load has counted; a hung one ends with its timeout's error.
loaded()
{
	stored "demo-$1" 1000 100
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$1 == "grtrace_mock.0" {
			jobs++
			failed += $column["error"] != 0
			hung += $column["error"] == -62
		}
		END { print jobs, failed, hung }' jobs > out
	[ "$(cat out)" = "520 6 2" ]
	result $? "demo-$1: as many jobs as its load has counted"
}

for base in 6.12 7.3 7.3-intree; do
	loaded $base
done

# A single time that is a nanosecond off, in a row that is not printed, is shown as a difference.
awk -F, -v OFS=, 'NR == 306 { $5++ } 1' rows > other
for file in rows other; do
	awk -v STEP=1000 -f "$here/golden.awk" $file > $file.short
done
diff -u rows.short other.short > out
[ "$(grep -c '^[-+]ts: ' out)" = 2 ] && [ "$(grep -c '^[-+]' out)" = 4 ]
result $? "what differs is shown"

"${CC:-cc}" -O2 -I"$here/../../../../include/uapi" \
	-I"$here/../../../testing/selftests/grtrace" -o stored_rows "$here/../stored_rows.c" \
	> out 2> err
result $? "the kselftests' reader compiles"

# both_readers NAME: the kselftests' reader, which shares nothing with grparse, reads the
# same records and losses.
both_readers()
{
	./stored_rows "$1"/x.grtrace.* 2> printed | sort > one
	# Only LOST and messages have a text, which may hold commas.
	"$grparse" -q --csv -D "$1" x 2> err | sed 's/"[^"]*"//' > rows
	awk -F, 'NR > 1 && $4 != "NA" && $6 != "lost" {
		job = $6 !~ /^(ring|task|message|sample|ioctl|[0-9]+)$/
		print $2 "," $4 "," $5 "," $6 "," (job ? $11 "," $12 : ",")
	}' rows | sort > two
	diff one two > out
	result $? "$1: the kselftests' reader has the same records"
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$6 == "lost" { lost += $column["events"] + $column["notes"] }
		END { print "lost", lost + 0 }' rows > two
	awk '$1 == "lost" { lost += $2; next } { exit 1 } END { print "lost", lost }' printed |
		diff - two > out
	result $? "$1: and the same losses"
}

for name in annotate emit later limit lost lost-7.3 module-6.12 module-7.3 overwrite \
	sample sample-7.3 snapshot tracefs-6.12 tracefs-7.3; do
	stored "golden-$name" 100 20
	mv "golden-$name" "$name"
	both_readers "$name"
done
# The purpose of each.
check 'emit: every event that can be emitted' 0 '' "$grparse" -q --csv -D emit x
cut -d, -f6 out | sort -u > types
for type in submit dep blocked pick commit start end complete irq ctx_switch wait_enter \
	wait_exit error fence queue_state message; do
	grep -qx "$type" types
	result $? "emit: $type"
done
check 'emit: contexts above 2^32' 0 ',1099511627783,' "$grparse" -q --csv -D emit x
check 'later: no loss' 0 '^Lost: 0 records' "$grparse" --strict -D later x
check 'lost: its places' 0 'no room in the channel' "$grparse" -O -D lost x
check 'limit: its reason' 0 'rate limit' "$grparse" -O -D limit x
check 'overwrite: the oldest are lost' 0 'overwritten by later ones' "$grparse" -O -D overwrite x
check 'snapshot: it is one' 0 'Snapshot: taken at' "$grparse" -O -D snapshot x
check 'sample: how many a job stands for' 0 '^4$' "$grparse" -q -f '%b\n' -D sample x
check 'module-7.3: the clients' 0 '' "$grtrace" report --csv jobs -D module-7.3 x
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{ jobs[$column["client"]]++ }
	END { for (client in jobs) print jobs[client] }' jobs > out
printf '%s\n' 30 30 > want
same 'module-7.3: there are two, each with its jobs' out want
for kernel in 6.12 7.3; do
	# One load, recorded twice at the same time.
	for way in module tracefs; do
		check "$way-$kernel: its jobs" 0 '' "$grtrace" report --csv jobs -D "$way-$kernel" x
		awk -F, '
			NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			{ print $column["ctx"] "," $column["seqno"] "," $column["ring"] }' jobs | sort > "$way"
	done
	[ "$(wc -l < module)" = 60 ] && diff module tracefs > out
	result $? "$kernel: the module and tracefs have the same 60 jobs"
done
check 'sample: a change of it' 0 '^x(,[0-9]+){4},sample,' "$grparse" -q --csv -D sample x
check 'annotate: ioctls' 0 ',ioctl,' "$grparse" -q --csv -D annotate x

finish
