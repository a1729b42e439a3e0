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
# Usage: check/coccinelle.sh
#
# Exit status: 0 clean, 1 findings.
. "$(dirname "$0")/../lib/use.sh" cocci

options '' "$@"
[ $# = 0 ] || usage_error "takes no argument"
rules="$checkout/scripts/coccinelle/grtrace"
kernel="$("$here/kernel/kernel.sh" 7.3 source)"
tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/code" "$tmp/found"
( cd "$checkout" && find drivers/gpu/grtrace tools/testing/selftests/grtrace/modules include/linux/grtrace.h include/uapi/drm/grtrace_drm.h \
	-name '*.[ch]' -exec cp --parents -t "$tmp/code" {} + )
( cd "$checkout" && cocci_macros ) >"$tmp/macros.h"
cd "$tmp/code"
status=0

# A function that the parser does not understand is left out, in silence.
spatch --macro-file-builtins "$tmp/macros.h" --parse-c . >"$tmp/parsed" 2>&1 || true
if ! grep -q '^NB total files = ' "$tmp/parsed"; then
	echo "spatch --parse-c failed"
	status=1
fi
if awk -F'"' '/^ = File "/ { place = $2 $3; sub(/^\.\//, "", place); sub(/, line /, ":", place); sub(/,.*/, "", place) }
	/^(bad:|BAD:!!!!!) {$/ { print place ": coccinelle does not understand the function here; macros.h may help"; found = 1 }
	END { exit !found }' "$tmp/parsed"; then
	status=1
fi

# Ours, on the examples.
for rule in "$rules"/*.cocci; do
	name="$(basename "$rule" .cocci)"
	if ! cd "$rules/tests/$name" 2>/dev/null || ! grep -q '/\* fires \*/' ./*.[ch]; then
		echo "$name.cocci has no example that it must fire on: add tests/$name/*.c"
		status=1
		continue
	fi
	spatch_rule "$rule" >"$tmp/found/$name"
	# What is no report is trouble of spatch's own, with the next rule too.
	if grep -vE '^[^ :]+:[0-9]+:' "$tmp/found/$name" | cut -c1-200; then
		exit 1
	fi
	if ! diff <(grep -n '/\* fires \*/' -- *.[ch] /dev/null | cut -d: -f1,2 | sort -u) \
		<(cut -d: -f1,2 "$tmp/found/$name" | sort -u) >"$tmp/diff"; then
		sed -nE "s|^< (.*)|tests/$name/\\1: $name.cocci is silent here|p
			s|^> (.*)|tests/$name/\\1: $name.cocci fires, and should not|p" "$tmp/diff"
		status=1
	fi
done
cd "$tmp/code"

# All of them, on the code.
mapfile -t all < <(kernel_rules; printf '%s\n' "$rules"/*.cocci)
[ "${#all[@]}" -gt 50 ] || { echo "the kernel's scripts were not found in $kernel/scripts/coccinelle"; status=1; }
spatch_rules "${all[@]}"
for rule in "${all[@]}"; do
	found="$tmp/found/$(basename "$rule" .cocci)"
	if [ -s "$found" ]; then
		sed "s|\$| [$(basename "$rule")]|" "$found"
		status=1
	fi
done
exit "$status"
