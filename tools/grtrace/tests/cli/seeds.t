#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Options that the documents name from which grtrace grew (seeds.csv), and that need no
# kernel: each in every word that reads, by letter, name and number.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir -p in
"$synth" "$fixtures/two_gpus.txt" in/x || exit 1
"$synth" "$fixtures/ioctls.txt" in/y || exit 1

# ------------------------------------------------------------------ engine classes

# rows_of WORD OPTION...: the rows, or the drawing, that are chosen.
rows_of()
{
	word=$1
	shift
	case $word in
	grparse) "$grparse" -q --csv "$@" in/x ;;
	report) "$grtrace" report --csv - "$@" in/x ;;
	export) "$grtrace" export --to csv "$@" in/x ;;
	timeline) "$grtrace" timeline --jobs "$@" in/x ;;
	esac
}
rows()
{
	rows_of "$@" > rows 2> err
}
for word in grparse report export timeline; do
	rows "$word"
	cp rows all
	rows "$word" --engine render
	cp rows named
	! cmp -s all named && [ -s named ]
	result $? "$word --engine: by name"
	for class in G 1 0x2; do
		for option in --engine --engine-mask; do
			rows "$word" "$option" "$class"
			same "$word $option $class: the same" rows named
		done
	done
	rows "$word" --engine render,copy
	cp rows named
	rows "$word" --engine 0xa
	same "$word --engine: a mask of two" rows named
	check "$word --engine: an empty mask" 2 'not a mask of classes' \
		rows_of "$word" --engine 0x0
done

check '--per-engine' 0 '^ +1 render ' "$grtrace" report --per-engine in/x
check '--per-engine: its stages' 0 '^Stages of engine class render' "$grtrace" report --per-engine in/x
check '--per-ring without a word is that of report' 0 'RING NAME' "$grtrace" --per-ring in/x

# ---------------------------------------------------------- limits and intervals

check '--limit of export' 0 '' "$grtrace" export --to csv --limit 3 in/x
[ "$(wc -l < out)" -ge 4 ] && [ "$(awk -F, 'NR > 1 && $7 !~ /^m/' out | wc -l)" = 3 ]
result $? '--limit: so many events'
check '--limit 0' 2 '--limit' "$grtrace" export --to csv --limit 0 in/x
check '--since of timeline' 0 '' "$grtrace" timeline --jobs --since 0 --until 1s in/x
check '--since behind --until' 2 'until' "$grtrace" timeline --since 2 --until 1 in/x

# ------------------------------------------------------------------------- merge

check '--stats-only' 0 '^INPUT +KIND' "$grtrace" merge --stats-only in/x in/y
check 'counts by type' 0 '^  submit +[0-9]+  #' "$grtrace" merge --stats-only in/x in/y
[ "$(awk '$1 == "submit" { sum += $2 } END { print sum }' out)" = \
	"$("$grparse" -q --csv -a submit in/x in/y 2> err | grep -c ',submit,')" ]
result $? 'counts by type: as many as there are'
"$grtrace" merge --stats-only in/x in/y > out 2> err && [ ! -s err ] && [ ! -e merged ]
result $? '--stats-only writes no capture'
on err check '--cpu, --gpu, --output, --verbose' 0 '^  ioctl +[0-9]' \
	"$grtrace" merge --cpu in/y --gpu in/x --output merged.txt --verbose
check '--cpu, --gpu: it is a capture' 0 '' "$grparse" -q merged.txt

"$grtrace" merge -q --clock-offset 1000000 -o moved in/x in/y 2> err &&
	"$grtrace" merge -q --clock-offset in/y=1000000 -o moved2 in/x in/y 2> err
cmp -s moved moved2
result $? '--clock-offset: without a file, of the second'
check '--clock-offset: of three' 2 'there are 3 inputs, name one' \
	"$grtrace" merge -o no --clock-offset 5 in/x in/y moved
check 'no output and no --stats-only' 2 '-o is missing' "$grtrace" merge in/x in/y

# ---------------------------------------------------------------- the trace's own cost

# shellcheck source=tools/grtrace/tests/cli/fake_debugfs.sh
. "$here/fake_debugfs.sh"
fake_make d
printf '%s\n' 'offered 1000' 'written 700' 'sampled_out 100' 'rate_limited_drops 200' 'lost 200' \
	> d/grtrace/stats
printf '%s\n' cpu,offered,written,notes,lost,lost_notes,bytes 0,100,100,1,0,0,3200 1,900,600,1,0,0,19200 \
	> d/grtrace/pc_stats
printf '%s\n' second,offered,written,bytes 0,300,200,6400 1,600,400,12800 2,100,100,3200 \
	> d/grtrace/sec_stats
printf '%s\n' lt_64,lt_128,lt_256,ge_256 100,500,100,0 > d/grtrace/latency_hist
check 'overhead: rates' 0 '^rate +300 events/s, 9600 bytes/s \(mean of 2 s; most 400 events/s\)$' \
	"$grtrace" status -r d
# 100 x 64 + 500 x 128 + 100 x 256 = 96000 ns, of 700 writes in 3 s
check 'overhead: times of writes' 0 \
	'^write time +700 writes, mean < 137 ns, max < 256 ns, total < 96 us, 0\.003 % of one CPU$' \
	"$grtrace" status -r d
check 'overhead: drops by reason' 0 \
	'^drops +sampled_out 100 \(10\.0 %\), rate_limited_drops 200 \(20\.0 %\)$' "$grtrace" status -r d
check 'overhead: alone, as record prints it' 0 '^imbalance ' "$grtrace" status --cost -r d
[ "$(wc -l < out)" = 4 ]
result $? 'overhead: four lines and nothing else'
check 'overhead: CPUs' 0 '^imbalance +CPU 1 has 1\.7 times the mean of 2 CPUs$' "$grtrace" status -r d
printf '%s\n' lt_64,lt_128,lt_256,ge_256 0,0,0,0 > d/grtrace/latency_hist
sed -i 's/^1,/2,/' d/grtrace/pc_stats
check 'overhead: a CPU behind one that is not there' 0 '^imbalance +CPU 2 has 1\.7 times the mean of 2 CPUs$' "$grtrace" status -r d
check 'overhead: not measured' 0 '^write time +NA \(profile=1' "$grtrace" status -r d
printf '%s\n' lt_64,lt_128,lt_256,ge_256 0,0,0,5 > d/grtrace/latency_hist
check 'overhead: above the last bound' 0 'max >= 256 ns' "$grtrace" status -r d

finish
