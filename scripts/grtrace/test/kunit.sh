#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs KUnit suites: in a User Mode Linux, with this checkout's core and the sources
# that work there built in, or all of them in a guest with the patched kernel.
# Prints TAP: a line for each case, or for each parameter of a case, after comments
# with its output.
#
# Usage: kunit.sh [--kernel FILE] [--guest BASE] [SUITE...]
#
#   SUITE          only these, or a shell pattern; also the kernel's own, e.g.
#                  'drm_sched_*' (default: the suites of drivers/gpu/grtrace/tests
#                  for the core and some sources, in a guest for all sources)
#   --kernel FILE  in this User Mode Linux, built earlier
#   --guest BASE   in QEMU, on the patched kernel of BASE (7.3 or 6.12)
#   --debug K      in a kernel that looks for bugs in itself, the suites of the core and of the
#                  sources that it has: with --guest one of intree.sh --debug, else K is kasan
#
# Exit status: 0 when something passed and nothing failed.
. "$(dirname "$0")/../lib/use.sh" work base tap

base='' kernel='' debug='' filter=''
options '--guest:base --debug: --kernel:' "$@"
suites=("${args[@]}")
[ -z "$debug" ] || [ -n "$base" ] || [ "$debug" = kasan ] || usage_error "--debug $debug needs --guest"
if [ -z "$base" ]; then
	configs=("$here"/{kernel/config/common,uml/config})
	guest=("$here/uml/uml.sh" ${kernel:+--kernel "$kernel"} ${debug:+"--$debug"})
else
	image="$("$here/kernel/intree.sh" ${debug:+--debug "$debug"} "$(base_name "$base")")"
	configs=("$image/config")
	# Where autorun is not known yet, all that are built in would run first.
	[ -n "$debug${suites[*]}" ] || filter='kunit.filter_glob=grtrace_source_*'
	guest=("$here/guest/vm.sh" --timeout 1800 --memory 4G --append "kunit.enable=1 kunit.autorun=0 $filter" "$image")
fi
# Those of the sources that the kernel has, and of the core, which QEMU would only slow down.
if [ ${#suites[@]} = 0 ]; then
	while read -r suite; do
		case "$suite" in
		grtrace_source_*) grep -qi "^CONFIG_GRTRACE_${suite#grtrace_source_}=[ym]" "${configs[@]}" || continue ;;
		*) [ -z "$base" ] || [ -n "$debug" ] || continue ;;
		esac
		suites+=("$suite")
	done < <(sed -nE 's/^\t\.name = "(grtrace[a-z0-9_]*)",$/\1/p' "$checkout"/drivers/gpu/grtrace/tests/*_test.c)
fi
[ ${#suites[@]} -gt 0 ] || die "found no suite in drivers/gpu/grtrace/tests"

# KTAP nests: the debugfs file of a suite holds one test, which holds the suite's
# cases, which may hold one for each parameter.  A suite that was asked for and
# did not say how many cases it has, or less than that, did not run.
# shellcheck disable=SC2016
flatten='
# result LINE NAME: LINE is "ok 1 what" or "not ok 1 what", indented.
function result(line, name) {
	match(line, /^ *(not )?ok [0-9]+ /)
	printf "%sok %d %s%s\n", line ~ /^ *not/ ? "not " : "", ++number, name,
	       substr(line, RLENGTH + 1)
	failed += line ~ /^ *not/
}
function close_suite() {
	for (; cases < planned; cases++)
		result("not ok 1 a case did not run", suite ": ")
	cases = planned = 0
}
{ sub(/\r$/, "") }
/^KTAP version/ { close_suite(); failed = 0; next }
/^    # Subtest: / { suite = $3; ran[suite] = 1; next }
/^    1\.\.[0-9]+$/ { planned = substr($1, 4); next }
/^        # Subtest: / { parameters = 1; case_name = $3; failed_before = failed; next }
/^        (not )?ok [0-9]+ / { result($0, suite ": " case_name ": "); next }
/^    (not )?ok [0-9]+ / {
	cases++
	# The parameters have reported it, unless something else failed.
	if (!parameters || (/^ *not ok/ && failed == failed_before))
		result($0, suite ": ")
	parameters = 0
	next
}
# A suite whose set-up or end failed, though none of its cases did.
/^not ok / && !failed { result("not ok 1 the suite itself", suite ": ") }
/^(not )?ok |^ *1\.\.|^ *KTAP version/ { next }
/^#/ || /^ +# (module|speed|Totals|[a-z0-9_]+: pass:)/ { next }
{ sub(/^ +(# )?/, "  "); print "# " $0 }
END {
	close_suite()
	count = split(wanted, name, " ")
	for (i = 1; i <= count; i++)
		if (name[i] !~ /[*?[]/ && !(name[i] in ran))
			result("not ok 1 did not run", name[i] ": ")
	printf "1..%d\n", number
}'

echo "TAP version 13"
status=0
"${guest[@]}" -- sh "$here/uml/kunit.sh" "${suites[@]}" |
	awk -v wanted="${suites[*]}" "$flatten" | tap_judge "kunit${debug:+-$debug}" | tee "$work/log" || status=$?
[ "$status" = 0 ] || exit "$status"
read -r passed failed _ < <(tap_count "$work/log")
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
