#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A part of a capture is enough for -w where only events are printed: they are the same as
# when all is read.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
format='%T.%9t %2c %8s %q %5p %2a %3d %M %v %V %r %x:%S %f %e %n %w %l %g %b %m\n'

# A line has its time in this column, which is another one without $format.
time=1

# print_all CAPTURE [OPTION...]
print_all()
{
	if [ $time = 1 ]; then
		run "$grparse" -q -f "$format" "$@"
	else
		run "$grparse" -q "$@"
	fi
}

# of_interval FROM TO: those lines of standard input; times are compared as text of one width. A
# loss has two times, so it is left out.
of_interval()
{
	awk -v from="$(printf '%.9f' "$1")" -v to="$(printf '%.9f' "$2")" -v column=$time '
		function same(time) { return sprintf("%020d%s", substr(time, 1, index(time, ".") - 1), substr(time, index(time, "."))) }
		!/ mL / && same($column) >= same(from) && same($column) <= same(to)'
}

# windows BASE DIR COUNT: this many windows of a capture.
windows()
{
	print_all -v -D "$2" "$1"
	mv out all
	mv err told
	# Most begin close to some line.
	awk -v count="$3" -v column=$time '
		{ at[NR] = $column + 0 }
		!begin || at[NR] < begin { begin = at[NR] }
		at[NR] > end { end = at[NR] }
		END {
			srand(7)
			seconds = end - begin
			OFMT = "%.9f"
			for (i = 0; i < count; i++) {
				from = at[int(1 + rand() * NR)] + (rand() - 0.6) ^ 5 * seconds
				print from < 0 ? 0 : from, (from < 0 ? 0 : from) + rand() ^ 4 * seconds
			}
			print 0, 0; print 0, end * 2; print begin + seconds / 2, begin + seconds / 2
		}' all > bounds
	full=0
	while read -r from to; do
		of_interval "$from" "$to" < all > wanted
		[ ! -s wanted ] || full=$((full + 1))
		print_all -v -w "$(printf '%.9f:%.9f' "$from" "$to")" -D "$2" "$1"
		if ! grep -v ' mL ' out | cmp -s - wanted || [ "$code" != 0 ] ||
			! grep -v 'before the chosen interval begins' err | cmp -s - told; then
			result 1 "$1 of $2: $from to $to"
			return
		fi
	done < bounds
	[ $full -gt $(($3 / 2)) ]
	result $? "$1 of $2: $3 windows, and most have events"
}

for capture in golden-module-7.3 golden-module-6.12 golden-lost golden-overwrite golden-sample-7.3 \
	golden-tracefs-7.3 demo-7.3; do
	mkdir -p "$capture"
	for file in "$here/../captures/$capture"/x.*.xz; do
		xz -dc "$file" > "$capture/$(basename "$file" .xz)"
	done
	windows x "$capture" 25
done

# As a recorder leaves it: tables at the start of each file, and with all rings at the end of
# the first.
"$build/workload" --jobs 20000 --cpus 3 --rings 8 --devices 2 --subbuf 8192 --clients long 2> err
python3 -B "$here/end_tables.py" long
seconds=$("$grparse" -q -f '%T.%9t\n' long | tail -n 1)
windows long . 60

# With the names of tasks, which each sub-buffer has.
"$build/workload" --jobs 20000 --cpus 3 --rings 8 --devices 2 --processes 30 --subbuf 8192 --clients --names named 2> err
python3 -B "$here/end_tables.py" named
time=4
named=$("$grparse" -q -f '%T.%9t\n' named | tail -n 1)
windows named . 60
[ "$(grep -c '\[app-' all)" -gt 1000 ]
result $? "lines have names of tasks"
time=1

# Damage elsewhere is not read, which shows that only a part is.
cp long.grtrace.1 whole
printf 'damage' | dd of=long.grtrace.1 bs=1 seek=300001 conv=notrunc 2> /dev/null
check "damage is found by reading all" 1 'damaged at offset' "$grparse" -q -O long
late=$(awk -v s="$seconds" 'BEGIN { printf "%.6f", s * 0.9 }')
check "a part without it is read without a complaint" 0 '' "$grparse" -q -w "$late:$seconds" -f "$format" long
[ -s out ] && [ ! -s err ]
result $? "and has events"

# All is read for what a part does not have: without -q a summary, without -f names of tasks,
# which the sub-buffers of this capture do not have.
while read -r options; do
	# shellcheck disable=SC2086
	run "$grparse" -w "$late:$seconds" $options long
	grep -q 'damaged at offset' err
	result $? "all is read: $options"
done <<-end
	-q
	-O
	-f%x\n
	-q -f%x\n --strict
	-q -f%x\n --ctx 1
	-q -f%x\n -d copy
	-q -f%u\n -t
	-q -f%C\n
	-q --csv
end
mv whole long.grtrace.1

# As above, in the capture that has them.
cp named.grtrace.1 whole
head -c 64 /dev/zero | dd of=named.grtrace.1 bs=1 seek=300001 conv=notrunc 2> /dev/null
late=$(awk -v s="$named" 'BEGIN { printf "%.6f", s * 0.9 }')
check "a part has the names of tasks" 0 '\[app-' "$grparse" -q -w "$late:$named" named
[ ! -s err ]
result $? "and is read without a complaint"
# An event in an interrupt names a task that need not be named there.
check "all is read for names of all events" 1 'damaged at offset' "$grparse" -q -w "$late:$named" -f '%C\n' named
mv whole named.grtrace.1

# An end that is missing may have had rings.
head -c 1000000 long.grtrace.0 > cut.grtrace.0
for cpu in 1 2; do cp long.grtrace.$cpu cut.grtrace.$cpu; done
"$grparse" -q -f "$format" cut > all 2> told
late=$(awk -v s="$seconds" 'BEGIN { printf "%.9f", s * 0.2 }')
of_interval "$late" "$seconds" < all > wanted
run "$grparse" -q -f "$format" -w "$late:$seconds" cut
cmp -s out wanted && cmp -s err told
result $? "a file that was cut is read to its end"

run "$grparse" -q -f "$format" -w 100000:100001 long
[ "$code" = 0 ] && [ ! -s out ] && grep -q 'ends .* before the chosen interval begins' err
result $? "an interval behind the end"

# -t: a step takes its time from the one before, which may be before the interval, or that of a
# job that was not chosen. The summary is about the interval and the chosen jobs, as without -t.
time=1
"$grparse" -q -t -f '%T.%9t %a %r %x:%S %u\n' named > all
# steps: the lines of each interval of standard input.
steps()
{
	while read -r from to; do
		of_interval "$from" "$to" < all > wanted
		"$grparse" -q -t -f '%T.%9t %a %r %x:%S %u\n' -w "$from:$to" named > out 2> err
		code=$?
		cmp -s out wanted && [ "$(grep -c ' [0-9]*\.[0-9]*$' out)" -gt 100 ]
		result $? "-t: the times of steps from $from to $to"
		"$grparse" -O -w "$from:$to" named > wanted
		run "$grparse" -O -t -w "$from:$to" named
		same "-t: the same summary from $from to $to" out wanted
	done
}
awk -v seconds="$named" 'BEGIN { print seconds * 0.3, seconds * 0.6; print seconds * 0.8, seconds * 2 }' | steps
ring=$("$grparse" -q -a pick -f '%r\n' named | head -n 1)
awk -v ring="$ring" '$3 == ring' all > wanted
"$grparse" -q -t -f '%T.%9t %a %r %x:%S %u\n' --ring "$ring" named 2> err | awk -v ring="$ring" '$3 == ring' > out
same "-t: the times of steps of chosen jobs" out wanted
[ "$(grep -c ' [0-9]*\.[0-9]*$' out)" -gt 100 ]
result $? "there are some"

finish
