#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A part of a capture is enough for -w where only events are printed: they are the same as
# when all is read.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
format='%T.%9t %2c %8s %q %5p %2a %3d %M %v %V %r %x:%S %f %e %n %w %l %g %b %m\n'

# of_interval FROM TO: those lines of standard input; times are compared as text of one width. A
# loss has two times, so it is left out.
of_interval()
{
	awk -v from="$(printf '%.9f' "$1")" -v to="$(printf '%.9f' "$2")" '
		function same(time) { return sprintf("%020d%s", substr(time, 1, index(time, ".") - 1), substr(time, index(time, "."))) }
		!/ mL / && same($1) >= same(from) && same($1) <= same(to)'
}

# windows BASE DIR COUNT SECONDS: so many windows of a capture that lasts so long.
windows()
{
	"$grparse" -q -v -f "$format" -D "$2" "$1" > all 2> told
	awk -v count="$3" -v seconds="$4" 'BEGIN {
		srand(7)
		for (i = 0; i < count; i++) {
			from = rand() * seconds * 1.1 - seconds * 0.05
			print from < 0 ? 0 : from, (from < 0 ? 0 : from) + rand() ^ 4 * seconds
		}
		print 0, 0; print 0, seconds * 2; print seconds / 2, seconds / 2 }' > bounds
	while read -r from to; do
		of_interval "$from" "$to" < all > wanted
		run "$grparse" -q -v -f "$format" -w "$(printf '%.9f:%.9f' "$from" "$to")" -D "$2" "$1"
		if ! grep -v ' mL ' out | cmp -s - wanted || [ "$code" != 0 ] ||
			! grep -v 'before the chosen interval begins' err | cmp -s - told; then
			result 1 "$1 of $2: $from to $to"
			return
		fi
	done < bounds
	result 0 "$1 of $2: $3 windows"
}

for capture in golden-module-7.3 golden-module-6.12 golden-clock golden-lost golden-overwrite golden-sample-7.3 \
	golden-tracefs-7.3 demo-7.3; do
	mkdir -p "$capture"
	for file in "$here/../captures/$capture"/x.*.xz; do
		xz -dc "$file" > "$capture/$(basename "$file" .xz)"
	done
	windows x "$capture" 25 5
done

# As a recorder leaves it: tables at the start of each file, and with all rings at the end of
# the first.
"$build/workload" --jobs 20000 --cpus 3 --rings 8 --devices 2 --subbuf 8192 --clients long 2> err
python3 -B "$here/end_tables.py" long
seconds=$("$grparse" -q -f '%T.%9t\n' long | tail -n 1)
windows long . 60 "$seconds"

# What is wrong elsewhere is not read, which shows that only a part is.
cp long.grtrace.1 whole
printf 'damage' | dd of=long.grtrace.1 bs=1 seek=300001 conv=notrunc 2> /dev/null
check "damage is found by reading all" 1 'damaged at offset' "$grparse" -q -O long
late=$(awk -v s="$seconds" 'BEGIN { printf "%.6f", s * 0.9 }')
check "a part without it is read without a complaint" 0 '' "$grparse" -q -w "$late:$seconds" -f "$format" long
[ -s out ] && [ ! -s err ]
result $? "and has events"

# All is read for what a part does not have.
for option in -O --strict "-f %C\\n" "--ctx 1" --csv -t "-d copy"; do
	# shellcheck disable=SC2086
	case $option in
	-t) set -- -w "$late:$seconds" ;; # names of tasks
	-O) set -- -O -w "$late:$seconds" ;; # a summary
	*) set -- -q -w "$late:$seconds" -f "$format" $option ;;
	esac
	[ "$option" != --csv ] || set -- -q -w "$late:$seconds" --csv
	run "$grparse" "$@" long
	grep -q 'damaged at offset' err
	result $? "all is read: $option"
done
mv whole long.grtrace.1

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

finish
