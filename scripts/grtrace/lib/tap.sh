# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Counts the results in a log: TAP, the kselftest runner's TAP with each
# program's own lines behind "# ", and GoogleTest's.  What was announced and has
# no result did not run, and that is a failure.

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
