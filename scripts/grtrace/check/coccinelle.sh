#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs Coccinelle over the kernel side: the kernel's own scripts, as make
# coccicheck MODE=report runs them, and those of scripts/coccinelle/grtrace. Our
# own scripts are tried on their examples first, because a rule that cannot fire
# is of no use. Prints the findings.
#
# An example is a folder scripts/coccinelle/grtrace/tests/RULE.  The rule must
# report each line with the comment "fires" in it, and no other.
#
# Usage: check/coccinelle.sh [--patched]
#
#   --patched  instead, the kernel's scripts over the files that the patches change;
#              findings in the original files are left out
#
# Exit status: 0 clean, 1 findings.
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache series touched result

patched=''
options '--patched' "$@"
[ ${#args[@]} = 0 ] || usage_error "takes no argument"
"$here/deps.sh" check series
kernel="$("$here/kernel/kernel.sh" 7.3 source)"
cd "$checkout"
rules=("$checkout"/scripts/coccinelle/grtrace/*.cocci)
mapfile -t kernel_rules < <(grep -rlE --include='*.cocci' '^virtual[[:space:]].*\breport\b' "$kernel/scripts/coccinelle" | sort)
[ "${#kernel_rules[@]}" -gt 50 ] || die "the kernel's scripts were not found in $kernel/scripts/coccinelle"
# The macros that coccinelle knows, and ours.
cat "$(spatch --longhelp 2>&1 | sed -nE 's/.*--macro-file-builtins .*default=([^)]*)\).*/\1/p')" \
	scripts/coccinelle/grtrace/macros.h >"$work/macros.h"
mkdir "$work/code" "$work/found"
status=0

# Output lines of the kernel's scripts that are not reports.
#   "should X be a metavariable?"  coccinelle says it of a script, not of code
NOISE=': should [[:alnum:]_]* be a metavariable\?$'

# spatch_rule RULE: in the current folder, with the options that the rule asks for.
spatch_rule() {
	local asked found result=0
	read -ra asked < <(sed -nE 's|^// Options: *||p' "$1" | head -n 1) || true
	found="$(spatch -D report --no-show-diff --very-quiet --macro-file-builtins "$work/macros.h" "${asked[@]}" \
		-I "$work/code/include" -I "$work/code/include/uapi" -I "$kernel/include" \
		--cocci-file "$1" --dir . 2>&1)" || result=$?
	sed -E "/$NOISE/d; /^\$/d; s|^\./||" <<<"$found"
	[ "$result" = 0 ] || echo "$1: spatch failed"
}

# spatch_rules RULE...: all of them on $work/code, on all processors; "FILE:LINE: TEXT
# [RULE]" of each finding.
spatch_rules() {
	local rule
	export -f spatch_rule
	export work kernel NOISE
	# shellcheck disable=SC2016
	printf '%s\n' "$@" | ( cd "$work/code" &&
		xargs -P "$(nproc)" -I{} bash -c 'spatch_rule "$1" >"$work/found/$(basename "$1" .cocci)"' bash {} )
	for rule; do
		sed "s|\$| [$(basename "$rule")]|" "$work/found/$(basename "$rule" .cocci)"
	done
}

# A function that the parser does not understand is left out, in silence.
check_parsing() {
	( cd "$work/code" && spatch --macro-file-builtins "$work/macros.h" --parse-c . ) >"$work/parsed" 2>&1 || true
	if ! grep -q '^NB total files = ' "$work/parsed"; then
		echo "spatch --parse-c failed"
		status=1
	fi
	if awk -F'"' '/^ = File "/ { place = $2 $3; sub(/^\.\//, "", place); sub(/, line /, ":", place); sub(/,.*/, "", place) }
		/^(bad:|BAD:!!!!!) {$/ { print place ": coccinelle does not understand the function here; macros.h may help"; found = 1 }
		END { exit !found }' "$work/parsed"; then
		status=1
	fi
}

# check_examples RULE: one of ours.
check_examples() {
	local name examples
	name="$(basename "$1" .cocci)"
	examples="scripts/coccinelle/grtrace/tests/$name"
	if ! cd "$checkout/$examples" 2>/dev/null || ! grep -q '/\* fires \*/' ./*.[ch]; then
		echo "$name.cocci has no example that it must fire on: add tests/$name/*.c"
		status=1
		return
	fi
	spatch_rule "$1" >"$work/found/$name"
	# Anything but a report is a problem of spatch itself, which the next rule would have as well.
	if grep -vE '^[^ :]+:[0-9]+:' "$work/found/$name" | cut -c1-200; then
		exit 1
	fi
	if ! diff <(grep -n '/\* fires \*/' -- *.[ch] /dev/null | cut -d: -f1,2 | sort -u) \
		<(cut -d: -f1,2 "$work/found/$name" | sort -u) >"$work/diff"; then
		sed -nE "s|^< (.*)|tests/$name/\\1: $name.cocci is silent here|p
			s|^> (.*)|tests/$name/\\1: $name.cocci fires, and should not|p" "$work/diff"
		status=1
	fi
}

# at COMMIT RULE...: what they find in the patched files as they are there.
at() {
	rm -rf "$work/code"
	mkdir "$work/code"
	series_git "$repo" archive "$1" "${old[@]}" | tar -x -C "$work/code"
	spatch_rules "${@:2}" | sed -E 's/^([^ :]+:[0-9]+)(:[0-9]+)?(-[0-9]+)?: /\1: /' >"$work/$1"
}

if [ -n "$patched" ]; then
	repo="$(series_repo "$kernel")"
	mapfile -t old < <(touched old '\.[ch]$')
	[ ${#old[@]} -gt 0 ] || exit 0
	at checkout "${kernel_rules[@]}"
	: >"$work/base"
	if [ -s "$work/checkout" ]; then
		# Only the rules that found something.
		mapfile -t again < <(printf '%s\n' "${kernel_rules[@]}" |
			grep -F "$(sed -E 's|.*\[([^]]*)\]$|/\1|' "$work/checkout" | sort -u)")
		at base "${again[@]}"
	fi
	only_new "$work/base" "$work/checkout" | grep . && exit 1
	exit 0
fi

find drivers/gpu/grtrace tools/testing/selftests/grtrace/modules scripts/grtrace/bench/module include/linux/grtrace.h include/uapi/drm/grtrace_drm.h \
	-name '*.[ch]' -exec cp --parents -t "$work/code" {} +
check_parsing
for rule in "${rules[@]}"; do
	check_examples "$rule"
done
cd "$checkout"
! spatch_rules "${kernel_rules[@]}" "${rules[@]}" | grep . || status=1
exit "$status"
