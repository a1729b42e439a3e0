#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Two captures of which one is bad: the same exit status and sentence whether it is the first
# or the second, in each command that takes several.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$synth" "$fixtures/two_cpus.txt" good
"$synth" "$fixtures/loss.txt" lossy
cp good.grtrace.0 cut.grtrace.0
head -c 300 good.grtrace.1 > cut.grtrace.1
cp good.grtrace.1 half.grtrace.1
: > empty.grtrace.0
echo text > garbage
cp "$here/../captures/truth-known-features/x.grtrace.0" later.grtrace.0

# A command a line, for two captures at its end.
cat > commands << 'COMMANDS'
grparse -O
grparse -q --csv
grparse -q --json
grtrace report
grtrace report --full
grtrace report --csv - -o /dev/null
grtrace report --json - -o /dev/null
grtrace report --html page.html
grtrace diff
grtrace diff --csv
grtrace verify
grtrace merge -o new
grtrace merge --stats-only
grtrace export --to csv
grtrace export --to json
grtrace export --to sqlite -o new
grtrace export --to ctf -o new
grtrace export --to perfetto -o new
grtrace export --to text
grtrace export --to text-old
grtrace export --to csv --fleet
grtrace export --to csv --fleet --rows captures
grtrace timeline
grtrace timeline --jobs
grtrace timeline --latency-only
grtrace explain 5:1
COMMANDS

# both_places EXIT BAD REGEX [OPTION]: each command, with that capture first and second
both_places()
{
	while read -r words; do
		for pair in "$2 good" "good $2"; do
			rm -rf new page.html
			# shellcheck disable=SC2086
			run "$build"/$words $4 $pair
			cat out err > both
			[ "$code" = "$1" ] && { [ -z "$3" ] || grep -Eq -- "$3" both; } &&
				! grep -Eq '(^|: )good(\.grtrace\.[01])?: [^0]' err
			result $? "$words $4 $pair"
		done
	done < commands
}

both_places 1 absent 'absent: no such capture'
both_places 1 cut 'cut\.grtrace\.1(: damaged at offset 288|:288): the file ends inside a record'
both_places 1 half 'half\.grtrace\.0 is missing'
both_places 1 empty 'empty: the capture is empty: nothing was recorded'
both_places 1 garbage 'garbage:( offset )?0: this is not a grtrace capture'
both_places 1 later 'later.*features that a reader has to know, .* \(bit 40\)'
both_places 0 lossy ''
both_places 3 lossy '' --strict

# Alone, one that cannot be read is never a success.
for bad in absent empty garbage later; do
	while read -r words; do
		case $words in *diff*) continue ;; esac
		rm -rf new
		# shellcheck disable=SC2086
		run "$build"/$words $bad
		cat out err > both
		[ "$code" = 1 ] && grep -q "$bad" both
		result $? "$words $bad alone"
	done < commands
done

# Each sentence is about its own capture.
for pair in "lossy good" "good lossy"; do
	# shellcheck disable=SC2086
	"$grtrace" export --to json $pair 2> err | sed -n 's/.*"row":"end","capture":"\([a-z]*\)","records":\([0-9]*\),"lost_events":\([0-9]*\),.*/\1 \2 \3/p' > counts
	printf '%s\n' "good 20 0" "lossy 5 3" | sort > want
	sort counts > got
	same "$pair: counts of each" got want
	# shellcheck disable=SC2086
	check "$pair: verify" 0 "^${pair% *}: 0 damaged" "$grtrace" verify $pair
	grep -q "^${pair#* }: 0 damaged" out
	result $? "$pair: both have a verdict"
done

finish
