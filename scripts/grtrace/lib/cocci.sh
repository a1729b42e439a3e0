# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Coccinelle as make coccicheck MODE=report runs it.  The caller's variables: tmp,
# a folder with macros.h in it; kernel, a kernel source tree.
# shellcheck disable=SC2154

# Output lines of the kernel's scripts that are not reports.
#   "should X be a metavariable?"  coccinelle says it of a script, not of code
NOISE=': should [[:alnum:]_]* be a metavariable\?$'

# cocci_macros: the macros that coccinelle knows, and ours.
cocci_macros() {
	cat "$(spatch --longhelp 2>&1 | sed -nE 's/.*--macro-file-builtins .*default=([^)]*)\).*/\1/p')" \
		scripts/coccinelle/grtrace/macros.h
}

# kernel_rules: those of the kernel's scripts that can report.
kernel_rules() {
	grep -rlE --include='*.cocci' '^virtual[[:space:]].*\breport\b' "$kernel/scripts/coccinelle" | sort
}

# spatch_rule RULE: in the current folder, with the options that the rule asks for.
spatch_rule() {
	local options found result=0
	read -ra options < <(sed -nE 's|^// Options: *||p' "$1" | head -n 1) || true
	found="$(spatch -D report --no-show-diff --very-quiet --macro-file-builtins "$tmp/macros.h" "${options[@]}" \
		-I "$tmp/code/include" -I "$tmp/code/include/uapi" -I "$kernel/include" \
		--cocci-file "$1" --dir . 2>&1)" || result=$?
	sed -E "/$NOISE/d; /^\$/d; s|^\./||" <<<"$found"
	[ "$result" = 0 ] || echo "$1: spatch failed"
}

# spatch_rules RULE...: all of them, on all processors; each one's findings to
# $tmp/found/NAME.
spatch_rules() {
	export -f spatch_rule
	export tmp kernel NOISE
	# shellcheck disable=SC2016
	printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c 'spatch_rule "$1" >"$tmp/found/$(basename "$1" .cocci)"' bash {}
}
