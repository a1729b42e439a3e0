# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Runs checkpatch without its false reports, which are listed only here, with the
# reasons.

# checkpatch_known: regular expressions for lines "file:line: SEVERITY:TYPE:".
# A type without a file applies to all files.
checkpatch_known() {
	local layout='CHECK:(OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT|SPACING)'
	cat <<-EOF2
		# the entry in MAINTAINERS is a patch of its own
		:FILE_PATH_CHANGES:
		# a kernel that is unpacked has no history in which to look one up
		:UNKNOWN_COMMIT_ID:
		# the layout of TRACE_EVENT() in all headers there are
		^[^ ]*_trace\\.h:[0-9]+: $layout:
		^include/trace/events/[^ ]*\\.h:[0-9]+: $layout:
		# EXPORT_..._FOR_MODULES() is several declarations, like those beside it
		^include/linux/(static_call|tracepoint)\\.h:[0-9]+: WARNING:(MULTISTATEMENT_MACRO_USE_DO_WHILE|EXPORT_SYMBOL):
		^include/linux/(static_call|tracepoint)\\.h:[0-9]+: CHECK:MACRO_ARG_REUSE:
		# typeof() and a cast do not evaluate; && of two types is not an operator here
		^(include/linux/grtrace|drivers/gpu/grtrace/compat)\\.h:[0-9]+: CHECK:(MACRO_ARG_REUSE|SPACING):
		# one source for this tree and for kernels that are built already: a
		# macro that is an argument with the comma before it, what another
		# kernel's function has no argument for, a list of parameters with two
		# ends
		compat\\.h:[0-9]+: (ERROR:SPACING|WARNING:MACRO_ARG_UNUSED):
		^drivers/gpu/grtrace/channel_life\\.c:[0-9]+: CHECK:PARENTHESIS_ALIGNMENT:
		# what stands for the drivers of several kernels
		^tools/grtrace/tests/guest/stubs/[^ ]*\\.h:[0-9]+: WARNING:(LINUX_VERSION_CODE|CONSTANT_COMPARISON):
		# a field whose place and size are in a table
		^drivers/gpu/grtrace/config\\.c:[0-9]+: CHECK:MACRO_ARG_REUSE:
		# a macro stands for one or two records of a table, and the table is an
		# argument of another
		^drivers/gpu/(grtrace/tests/(source_[^ ]*|stream)|drm/scheduler/tests/tests_trace)\\.[ch]:[0-9]+: (ERROR:COMPLEX_MACRO|CHECK:(MACRO_ARG_REUSE|PARENTHESIS_ALIGNMENT|SPACING)):
		# a static key, which checkpatch does not know as a definition
		session\\.c:[0-9]+: WARNING:EXPORT_SYMBOL:
		# C++, which checkpatch reads as C
		^tools/grtrace/[^ ]*\\.(cpp|h):[0-9]+: (ERROR|CHECK):SPACING:
		^tools/grtrace/[^ ]*\\.(cpp|h):[0-9]+: (ERROR:(ASSIGN_IN_IF|FUNCTION_WITHOUT_ARGS|OPEN_BRACE)|WARNING:(CONSTANT_COMPARISON|FUNCTION_ARGUMENTS|INDENTED_LABEL|LINE_SPACING|REPEATED_WORD|SPACING|SPLIT_STRING|SUSPECT_CODE_INDENT|TABSTOP)|CHECK:(BRACES|CAMELCASE|LINE_SPACING|OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT|UNNECESSARY_PARENTHESES)):
		^tools/grtrace/[^ ]*\\.h:[0-9]+: WARNING:SPDX_LICENSE_TAG:
		# what is set before a BPF program is loaded: the compiler shall not know it
		^tools/grtrace/bpf/[^ ]*\\.bpf\\.c:[0-9]+: WARNING:VOLATILE:
		# a type and a field of one name
		^tools/grtrace/[^ ]*\\.proto:[0-9]+: WARNING:REPEATED_WORD:
		# the harness's SKIP() returns, and what uses it has to be a macro, too
		^tools/testing/selftests/grtrace/(grtrace_(files|session)\\.h|sync_test\\.c):[0-9]+: WARNING:MACRO_WITH_FLOW_CONTROL:
		# a macro that defines functions and takes their name
		^tools/testing/selftests/grtrace/grtrace_session\\.h:[0-9]+: (WARNING:MULTISTATEMENT_MACRO_USE_DO_WHILE|CHECK:MACRO_ARG_REUSE):
		# the name of an event, once as a path and once in a sentence
		^tools/testing/selftests/grtrace/sync_test\\.c:[0-9]+: CHECK:MACRO_ARG_REUSE:
		# EXPECT_x() ends with a loop, to which its TH_LOG() belongs
		^tools/testing/selftests/grtrace/[^ ]*_test\\.c:[0-9]+: WARNING:BRACES:
		# FIXTURE_DATA() and FIXTURE_VARIANT() are types
		^tools/testing/selftests/grtrace/(sampling|sync|torture)_test\\.c:[0-9]+: CHECK:SPACING:
		# the names of elf.h
		^tools/testing/selftests/grtrace/addresses\\.c:[0-9]+: CHECK:CAMELCASE:
		# two arguments that are the same word
		^tools/testing/selftests/grtrace/[^ ]*\\.sh:[0-9]+: WARNING:REPEATED_WORD:
		# the name of a file after a redirection
		^tools/grtrace/tests/cli/[^ ]*\\.t:[0-9]+: WARNING:REPEATED_WORD:
	EOF2
}

# checkpatch TREE ARGS...: of the kernel source TREE; prints what it finds and is
# not known, one line each, and returns 1 when there is any.
checkpatch() {
	local tree="$1" found status=0; shift
	# Status 1 is a finding, more means that it did not run.
	found="$(perl "$tree/scripts/checkpatch.pl" --strict --terse --show-types "$@" 2>&1)" || status=$?
	if [ "$status" -gt 1 ]; then
		printf '%s\n' "$found"
		return 1
	fi
	! grep -vE '^total: |^[0-9]+ warnings as errors$|^$' <<<"$found" |
		grep -vEf <(checkpatch_known | grep -v '^#')
}
