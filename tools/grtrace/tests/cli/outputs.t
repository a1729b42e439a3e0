#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# An output is never an input, and no two outputs are one.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$synth" "$fixtures/two_cpus.txt" two > /dev/null
"$synth" "$fixtures/virtio.txt" other > /dev/null
sha256sum two.grtrace.* > before
ln -s two.grtrace.1 link
ln two.grtrace.1 hard

# refuse NAME REGEX COMMAND...: and what is read stays as it is.
refuse()
{
	refuse_name=$1 refuse_regex=$2
	shift 2
	check "$refuse_name" 1 "$refuse_regex" "$@"
	sha256sum --quiet -c before > out 2>&1
	result $? "$refuse_name: the capture is whole"
}

refuse "grparse -o" "^grparse: -o two.grtrace.0: .*which is an input" "$grparse" -O -o two.grtrace.0 two
refuse "grparse -d" "^grparse: -d two.grtrace.1: this is two.grtrace.1, which is an input: give the output another name" "$grparse" -q -O -d two.grtrace.1 two
refuse "grparse -D" "^grparse: -o two.grtrace.0: this is ./two.grtrace.0, which is an input" \
	"$grparse" -D . -o two.grtrace.0 two
refuse "by a link" "^grparse: -d link: this is two.grtrace.1, " "$grparse" -q -O -d link two
refuse "by another name" "^grparse: -d hard: this is two.grtrace.1, " "$grparse" -q -O -d hard two
refuse "one file of it" "-d two.grtrace.1: this is two.grtrace.1, " \
	"$grparse" -q -O -d two.grtrace.1 two.grtrace.0
refuse "report -o" "^grtrace report: -o two.grtrace.1: " "$grtrace" report -o two.grtrace.1 two
refuse "report --csv" "--csv two.grtrace.1: " "$grtrace" report --csv two.grtrace.1 two
refuse "report --html" "--html two.grtrace.1: " "$grtrace" report --html two.grtrace.1 two
refuse "diff -o" "^grtrace diff: -o two.grtrace.1: " "$grtrace" diff -o two.grtrace.1 other two
refuse "verify -o" "^grtrace verify: -o two.grtrace.1: " "$grtrace" verify -o two.grtrace.1 two
refuse "timeline -o" "^grtrace timeline: -o two.grtrace.1: " "$grtrace" timeline -o two.grtrace.1 two
refuse "export -o" "^grtrace export: -o two.grtrace.1: " "$grtrace" export --to csv -o two.grtrace.1 two
refuse "merge -o" "^grtrace merge: -o two.grtrace.1: " "$grtrace" merge -o two.grtrace.1 other two

check "tables and lines in one file" 1 "--csv one: -o writes to that file: give one" \
	"$grtrace" report -o one --csv one two
check "lines of jobs and of delays" 1 "--delays-csv ./one: --csv writes to that file" \
	"$grtrace" report --csv one --delays-csv ./one two
check "a page and lines" 1 "--html one: --csv writes to that file" \
	"$grtrace" report --csv one --html one two
[ ! -e one ]
result $? "and none of them is there"
check "two that are the same device" 0 '' "$grtrace" report -o /dev/null --csv /dev/null two
check "a name that only looks alike" 0 '' "$grtrace" report -o two.grtrace.x --csv two two
check "once more over the same output" 0 '' "$grtrace" report -o two.grtrace.x --csv two.csv two
sha256sum --quiet -c before > out 2>&1
result $? "the capture is whole"

finish
