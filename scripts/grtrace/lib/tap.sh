# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Counts the results in a log: TAP, the kselftest runner's TAP with each
# program's own lines after "# ", and GoogleTest's. A test that was announced but
# has no result did not run, which is a failure; so is a skip that is not on the
# list.

# The file "skips" has the allowed skips.
TAP_SKIPS="$(dirname "${BASH_SOURCE[0]}")/../test/skips"

# mawk waits for more than a line of a pipe unless it is asked not to.
tap_awk() {
	if awk -W version </dev/null 2>&1 | grep -q '^mawk'; then
		awk -W interactive "$@"
	else
		awk "$@"
	fi
}

# tap_judge WHERE: from a log on stdin to one on stdout in which a skip that the list
# does not allow there is a failure, and one that it allows says so: whoever judges it
# again leaves it alone.  A program whose cases were all skipped counts as skipped.
tap_judge() {
	# shellcheck disable=SC2016
	tap_awk -v where="$1" -v list="$TAP_SKIPS" '
	function pattern(glob) {
		gsub(/[^[:alnum:]_* -]/, "[&]", glob)
		gsub(/\*/, ".*", glob)
		return "^" glob "$"
	}
	function anywhere(globs,   glob, i, n) {
		n = split(globs, glob, ",")
		for (i = 1; i <= n; i++)
			if (where ~ pattern(glob[i]))
				return 1
	}
	function allowed(name, reason,   i) {
		for (i = 1; i <= rules; i++)
			if (program ~ rule_program[i] && name ~ rule_name[i] && reason ~ rule_reason[i])
				return 1
	}
	# skip NAME: of the line, as it is told.
	function judge(line, name,   at, reason) {
		at = match(line, / *# *SKIP/)
		reason = substr(line, at + RLENGTH)
		sub(/^[: ]+/, "", reason)
		if (reason ~ / ?\(allowed\)$/)
			return line
		if (reason == "")
			reason = program_reason
		if (allowed(name, reason))
			return substr(line, 1, at - 1) " # SKIP " reason (reason == "" ? "" : " ") "(allowed)"
		sub(/ok/, "not ok", line)
		sub(/ *# *SKIP.*/, "", line)
		return line " # may not be skipped on " where ": " (reason == "" ? "no reason is given" : reason)
	}
	function name_of(line) {
		sub(/^(# )?ok *[0-9]* *(- )?/, "", line)
		sub(/ *# *SKIP.*/, "", line)
		return line
	}
	BEGIN {
		program = "-"
		while ((getline line <list) > 0) {
			if (line ~ /^(#|$)/ || split(line, field, /  +|\t+/) != 4 || !anywhere(field[1]))
				continue
			rule_program[++rules] = pattern(field[2])
			rule_name[rules] = pattern(field[3])
			rule_reason[rules] = pattern(field[4])
		}
	}
	{ sub(/\r$/, "") }
	/^# selftests: [^ ]+: [^ ]+$/ {
		program = $NF
		program_reason = ""
		ran = skipped = 0
	}
	# a whole test without a runner
	/^1\.\.0 # *SKIP/ {
		print "1..1"
		sub(/^1\.\.0/, "ok 1 whole")
	}
	/^# 1\.\.0 # *SKIP/ {
		program_reason = $0
		sub(/^# 1\.\.0 # *SKIP */, "", program_reason)
	}
	/^(# )?ok .*# *SKIP/ {
		if (/^# /)
			skipped++
		whole = /^ok [0-9]+ selftests: /
		if (whole && skipped && !ran)
			sub(/ *# *SKIP.*/, " # SKIP all its cases were (allowed)")
		$0 = judge($0, whole ? "whole" : name_of($0))
	}
	/^# (not )?ok / && !/# *SKIP/ { ran++ }
	/^(not )?ok [0-9]+ selftests: / {
		if (/^ok/ && !/# *SKIP/ && skipped && !ran)
			$0 = $0 " # SKIP all its cases were (allowed)"
		program = "-"
	}
	/^\[  SKIPPED \] .* \([0-9]+ ms\)$/ && !allowed($4, "") { sub(/  SKIPPED /, "  FAILED  ") }
	{ print; fflush() }'
}

# tap_count LOG: prints "<passed> <failed> <skipped>".  A program's line counts
# only where it says more than the lines of its tests: it died, or has none.
tap_count() {
	awk '
	function verdict(line) {
		if (line ~ /^not ok/) return "failed"
		return line ~ /# *(SKIP|XFAIL)/ ? "skipped" : "passed"
	}
	function close_program(result, xfail,   total, kind) {
		total = inner["passed"] + inner["failed"] + inner["skipped"]
		if (inner_plan > total)
			inner["failed"] += inner_plan - total
		# The runner takes exit status 2 for an expected failure, which
		# without a single test is a program that did not start.
		if (!total && xfail)
			result = "failed"
		if (!total || (result == "failed" && !inner["failed"]))
			inner[result]++
		for (kind in inner)
			sum[kind] += inner[kind]
		delete inner
		inner_plan = 0
	}
	{ sub(/\r$/, "") }
	/^1\.\.[0-9]+/ { planned += substr($1, 4) }
	/^# 1\.\.[0-9]+/ { inner_plan += substr($2, 4) }
	/^(not )?ok( |$)/ { seen++; close_program(verdict($0), /# *XFAIL/) }
	/^# (not )?ok( |$)/ { inner[verdict(substr($0, 3))]++ }
	END {
		if (planned > seen)
			sum["failed"] += planned - seen
		print sum["passed"] + 0, sum["failed"] + 0, sum["skipped"] + 0
	}' "$1"
}

# tap_failures LOG: the lines of what failed, and what was said just before each:
# tests say why first.
tap_failures() {
	awk '
	{ sub(/\r$/, "") }
	/^(# )*# Totals: / { next }
	/^(# )*ok / || /^(# )*1\.\./ { said = 0; next }
	/^(# )*not ok/ {
		for (i = said > 8 ? said - 8 : 0; i < said; i++) print line[i % 8]
		said = 0
		print
		next
	}
	/^\[  FAILED  \]|[Ee]rror:|warning:/ { print; next }
	/^# / { line[said++ % 8] = $0 }' "$1"
}

# gtest_count LOG: the same for GoogleTest's output.
gtest_count() {
	awk '
	/^\[==========\] Running [0-9]+ tests? / { planned += $3 }
	/^\[       OK \] / { passed++ }
	/^\[  FAILED  \] .* \([0-9]+ ms\)$/ { failed++ }
	/^\[  SKIPPED \] .* \([0-9]+ ms\)$/ { skipped++ }
	END {
		if (planned > passed + failed + skipped)
			failed = planned - passed - skipped
		print passed + 0, failed + 0, skipped + 0
	}' "$1"
}
