#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures what the series' tracepoints cost while they are off: compares the objects
# that the patches touch in two builds, without and with the patches. Both are for
# x86-64, with the same configuration except for grtrace's own options. Prints a
# summary, which the cover letters have, and a table with
#
#   - for each function with a call, the nops of the tracepoints' static keys, the
#     other instructions that can be reached from its entry while all tracepoints
#     are off, and how these differ (bench/offcost.py says how this is counted);
#   - how much the modules grow: size(1) of the changed object files, before they are
#     linked. "text" includes the definitions of the events.
#
# Usage: offcost.sh [--save] [BASE]
#
#   BASE    7.3 (default; a newer one when Debian has it), or a kernel source
#           tree: builds the objects, with the configuration for guests
#           (kernel/config/config), in some minutes the first time
#   --save  the summary, into the file offcost beside the patches
#
# Exit status: 0 when all objects were compared, whatever came out; else 1; 2
# wrong usage.

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154,SC2034
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" work cache series overlay kbuild

# touched: the C files that the patches change and that are built into kernels.
touched() {
	patch_touches "$patches"/*.patch | grep '^drivers/.*\.c$' | grep -v '/tests/'
}

# events: the trace events for which the patches add a call.
events() {
	sed -nE '/^\+[^+]/s/.*\<trace_(call__)?([a-z0-9_]+)\(.*/\2/p' "$patches"/*.patch |
		sed 's/_enabled$//' | LC_ALL=C sort -u
}

# module_of FILE: the module that its object is linked into.
module_of() {
	case "$1" in
	*/amd/amdgpu/*) echo amdgpu ;;
	*/i915/*) echo i915 ;;
	*/nouveau/*) echo nouveau ;;
	*/virtio/*) echo virtio-gpu ;;
	*/scheduler/*) echo gpu-sched ;;
	drivers/gpu/drm/*) echo drm ;;
	drivers/dma-buf/*) echo 'dma-buf (vmlinux)' ;;
	*) dirname "$1" ;;
	esac
}

# sizes OBJECT: code text data
sizes() {
	size -A -d "$1" | awk '$1 ~ /text/ { code += $2 } END { printf "%d ", code }'
	size "$1" | awk 'NR == 2 { print $1, $2 }'
}

# letter_head: how the file for the letters was made, in lines that expand() of
# mails.py leaves out; the last says when that has to be done again.
letter_head() {
	printf '# Made by scripts/grtrace/series/offcost.sh --save: Linux %s, %s.\n# Of these patches: %s\n' \
		"$(source_version "$source")" "$(gcc --version | head -n 1)" "$(series_py code "$patches")"
}

# letter_summary: all functions together.
letter_summary() {
	letter_head
	awk -F'\t' '
	$5 == "?" { next }
	{
		functions++; keys += $4; before += $5; after += $6
		if ($7 == "-") same++
		else if ($6 <= $5) fewer++
		else more++
	}
	END {
		printf "\tfunctions with a call of the new events       %6d\n", functions
		printf "\tcalls, each a nop                             %6d\n", keys
		printf "\tinstructions that can be reached, without     %6d\n", before
		printf "\t  the same with the patches, nops not counted %6d\n", after
		printf "\tfunctions that have nothing but the nops      %6d\n", same
		printf "\t  otherwise arranged, not longer              %6d\n", fewer
		printf "\t  longer                                      %6d\n", more
	}' "$work/functions"
	echo
	letter_growth
}

# letter_growth: of the modules that the patches add events to.
letter_growth() {
	printf '\tbytes                 code    text    data\n'
	LC_ALL=C sort "$work/sizes" | awk -F'\t' '
	{
		split($2, a, " ")
		split($3, b, " ")
		if (!($1 in code))
			order[++count] = $1
		code[$1] += b[1] - a[1]; text[$1] += b[2] - a[2]; data[$1] += b[3] - a[3]
	}
	END {
		for (i = 1; i <= count; i++)
			printf "\t%-18s %+7d %+7d %+7d\n", order[i], code[order[i]], text[order[i]], data[order[i]]
	}'
}

# functions: one line each; a long one continues in the next.
functions() {
	printf '\tfunction                          nops without  with\n'
	awk -F'\t' '
	{
		printf "\t%-34s%4d %7s %5d\n", $2, $4, $5 == "?" ? "-" : $5, $6
		if ($7 == "-" || $7 == "?")
			next
		line = ""
		count = split($7, change, ", ")
		for (i = 1; i <= count; i++) {
			part = change[i] (i < count ? "," : "")
			if (length(line) + length(part) > 58) {
				print "\t   " line
				line = ""
			}
			line = line " " part
		}
		print "\t   " line
	}' "$work/functions"
}

# build_objects BUILD: those of the tree as it is; with its lock held.
build_objects() {
	local build="$entry/$1" objects=()
	mapfile -t objects < <(touched | sed 's/\.c$/.o/')
	mkdir -p "$build"
	kconfig_fragment "$tree" "${guest_config[@]}" >"$build/fragment.new"
	{
		kconfig_set "$build/fragment.new" "$build" kbuild "$tree" "$build" &&
			kbuild "$tree" "$build" "${objects[@]}"
	} >"$build/log" 2>&1 || {
		grep -E 'rror[: ]|\*\*\*' "$build/log" | head -n 20 >&2
		die "the objects could not be built: see $build/log"
	}
	printf '%s\n' "$build"
}

save=''
options '--save' "$@"
set -- "${args[@]}"
[ $# -le 1 ] || usage_error "one base at a time"
cd "$checkout"
"$here/deps.sh" kernel series bench
source="$(overlay_source "${1:-7.3}")"
repo="$(series_repo "$source")"
patches="$(cat "$repo/.git/folder")"
note "compiling what the patches touch, without them and with them"
overlay_at=base
without="$(overlay_with "$source" offcost build_objects build-without)"
overlay_at=series
with="$(overlay_with "$source" offcost build_objects build-with)"

read -rd '' -a known < <(events) || true
for file in $(touched); do
	object="${file%.c}.o"
	python3 -B "$here/bench/offcost.py" "$(basename "$object")" "$without/$object" "$with/$object" "${known[@]}" >"$work/rows" ||
		die "cannot read $object"
	cat "$work/rows" >>"$work/functions"
	printf '%s\t%s\t%s\n' "$(module_of "$file")" "$(sizes "$without/$object")" "$(sizes "$with/$object")" >>"$work/sizes"
done
if [ -n "$save" ]; then
	letter_summary >"$patches/offcost"
else
	letter_summary
	echo
	functions
fi
