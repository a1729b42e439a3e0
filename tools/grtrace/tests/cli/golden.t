#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A stored capture stays readable for ever: what is printed of the demo's captures is to
# the byte what it was when they were recorded.  Whoever adds a column changes the sums
# here, after a look at the rows; what they mean is judged by tests/truth.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# golden BASE SUM: the sum of the rows of all events.
golden()
{
	mkdir "$1"
	for file in "$here/../captures/demo-$1"/*.xz; do
		xz -dc "$file" > "$1/$(basename "$file" .xz)"
	done
	check "$1: is read" 0 '' "$grparse" -q --csv -D "$1" x
	cp out rows
	[ ! -s err ]
	result $? "$1: without a complaint"
	check "$1: each row is as it was" 0 "^$2 " sha256sum rows
	check "$1: its jobs" 0 '' "$grtrace" report --csv jobs -D "$1" x
	# As the load counted them; a hung one ends with the error of its timeout.
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$1 == "grtrace_mock.0" {
			jobs++
			failed += $column["error"] != 0
			hung += $column["error"] == -62
		}
		END { print jobs, failed, hung }' jobs > out
	[ "$(cat out)" = "520 6 2" ]
	result $? "$1: as many as its load has counted"
}

golden 6.12 29dd512086f6ffa4303fdaabca9e2bd65affbd4ac04eae656fcaf32ea8128ba3
golden 7.3 02a2b18dfee5109b62ff23e96089ea801d9b272fe46b88a384a9490285c3e1dd
golden 7.3-intree 3504149f2451827cdec96f0d4ccc0c55ea86e6f726ad2eedaa12f69a81a6b25d

# stored NAME: rows, findings and verdict of a capture are as its file "sums" has them. A
# sum that changes is a change of what is printed of old captures: look at the rows first.
stored()
{
	mkdir "$1"
	for file in "$here/../captures/golden-$1"/*.xz; do
		xz -dc "$file" > "$1/$(basename "$file" .xz)"
	done
	{
		"$grparse" -q --csv -D "$1" x 2> err | sha256sum
		"$grtrace" report --json - -D "$1" x 2> err | sha256sum
		"$grtrace" verify -D "$1" x 2> err | sha256sum
	} | cut -d' ' -f1 > sums
	for what in rows findings verdict; do
		read -r sum <&3
		read -r wanted <&4
		echo "$what: $sum" > out
		[ "$sum" = "$wanted" ]
		result $? "$1: its $what"
	done 3< sums 4< "$here/../captures/golden-$1/sums"
}

"${CC:-cc}" -O2 -I"$here/../../../../include/uapi" \
	-I"$here/../../../testing/selftests/grtrace" -o stored_rows "$here/../stored_rows.c" \
	> out 2> err
result $? "the kselftests' reader compiles"

# both_readers NAME: the kselftests' reader, which shares nothing with grparse, reads the
# same records and losses.
both_readers()
{
	./stored_rows "$1"/x.grtrace.* 2> told | sort > one
	# Only LOST and messages have a text, which may hold commas.
	"$grparse" -q --csv -D "$1" x 2> err | sed 's/"[^"]*"//' > rows
	awk -F, 'NR > 1 && $4 != "NA" && $6 != "lost" {
		job = $6 !~ /^(ring|task|message|sample|client|ioctl)$/
		print $2 "," $4 "," $5 "," $6 "," (job ? $11 "," $12 : ",")
	}' rows | sort > two
	diff one two > out
	result $? "$1: the kselftests' reader has the same records"
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$6 == "lost" { lost += $column["events"] + $column["notes"] }
		END { print "lost", lost + 0 }' rows > two
	awk '$1 == "lost" { lost += $2; next } { exit 1 } END { print "lost", lost }' told |
		diff - two > out
	result $? "$1: and the same losses"
}

for name in annotate clock emit limit lost lost-7.3 module-6.12 module-7.3 overwrite \
	sample sample-7.3 snapshot tracefs-6.12 tracefs-7.3; do
	stored "$name"
	both_readers "$name"
done
# What each is there for.
check 'emit: every event that can be emitted' 0 '' "$grparse" -q --csv -D emit x
cut -d, -f6 out | sort -u > types
for type in submit dep blocked pick commit start end complete irq ctx_switch wait_enter \
	wait_exit error fence message; do
	grep -qx "$type" types
	result $? "emit: $type"
done
check 'emit: contexts above 2^32' 0 ',1099511627783,' "$grparse" -q --csv -D emit x
check 'lost: its places' 0 'no room in the channel' "$grparse" -O -D lost x
check 'limit: its reason' 0 'rate limit' "$grparse" -O -D limit x
check 'overwrite: the oldest are lost' 0 'overwritten by later ones' "$grparse" -O -D overwrite x
check 'snapshot: it is one' 0 'Snapshot: taken at' "$grparse" -O -D snapshot x
check 'sample: how many a job stands for' 0 '^4$' "$grparse" -q -f '%b\n' -D sample x
check 'module-7.3: the clients' 0 '' "$grparse" -q --csv -D module-7.3 x
[ "$(grep -c ',client,' out)" = 16 ]
result $? 'module-7.3: there are as many as there were opens and contexts'
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
