#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the series' tracepoints cost where they are called while nobody listens:
# compares the objects that the patches touch, of a build without the patches and
# of one with them, both x86-64 and with the same configuration but for grtrace's
# own options.  Prints tables in Markdown:
#
#   - for each function with a call, the instructions that can be reached from its
#     entry while all tracepoints are off: the nops of their static keys, and all
#     that is different besides (bench/offcost.pl says how this is counted);
#   - how much the modules grow, as size(1) has it.
#
# Usage: offcost.sh [--series X.Y] WITHOUT WITH
#        offcost.sh [--series X.Y] --objects
#
#   WITHOUT    build folder of the kernel without the patches
#   WITH       build folder of the kernel with them
#   --series   whose patches, of drivers/gpu/drm (default 7.3)
#   --objects  print the objects, for make, that both folders need
#
# The tables stand in out/bench/offcost.md as well.
#
# Exit status: 0 when all objects were compared, whatever came out; else 1; 2
# wrong usage.

# Markdown has backquotes:
# shellcheck disable=SC2016
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for part in report series; do
	# shellcheck source=/dev/null
	. "$here/lib/$part.sh"
done
checkout="$(cd "$here/../.." && pwd)"
out="$checkout/out/bench"

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

# sizes OBJECT: code text data bss
sizes() {
	size -A -d "$1" | awk '$1 ~ /text/ { code += $2 } END { printf "%d ", code }'
	size "$1" | awk 'NR == 2 { print $1, $2, $3 }'
}

part_functions() {
	printf '## Functions with a tracepoint of the series, all tracepoints off\n\n'
	printf '*nops*: static keys passed. *without*, *with*: instructions that can be reached, these nops not\n'
	printf 'counted. *besides*: the difference by mnemonic; — where there is none.\n\n'
	printf '| object | function | events | nops | without | with | besides |\n'
	printf '|---|---|---|--:|--:|--:|---|\n'
	awk -F'\t' '
	{
		besides = $7 == "-" ? "—" : $7 == "?" ? "inlined without the patches: see the whole object" : $7
		gsub(/ /, "`, `", $3)
		printf "| %s | %s | `%s` | %d | %s | %d | %s |\n", $1, $2 == "*" ? "the whole object" : "`" $2 "`",
			$3, $4, $5, $6, besides
	}
	$2 == "*" { next }
	{ functions++; keys += $4 }
	$7 == "-" { same++ }
	$7 == "?" { inlined++ }
	END {
		printf "\n%d functions, %d calls. In %d functions there is nothing but the nops.", functions, keys, same
		if (inlined)
			printf " %d cannot be compared one by one.", inlined
		print ""
	}' "$work/functions"
}

part_sizes() {
	printf '\n## Growth\n\n'
	printf 'Bytes, of the objects touched, before they are linked; all other objects of a module are the same.\n'
	printf '*text* is that of size(1): code, and all else that is only read. The definitions of the events are\n'
	printf 'in it, too: what prints a record, what perf and BPF call.\n\n'
	printf '| module | objects | code | text | data | bss |\n|---|--:|--:|--:|--:|--:|\n'
	LC_ALL=C sort "$work/sizes" | awk -F'\t' '
	function show() {
		if (module != "")
			printf "| %s | %d | %+d | %+d | %+d | %+d |\n", module, n, code, text, data, bss
		n = code = text = data = bss = 0
	}
	$1 != module { show(); module = $1 }
	{
		split($2, a, " ")
		split($3, b, " ")
		n++
		code += b[1] - a[1]; text += b[2] - a[2]; data += b[3] - a[3]; bss += b[4] - a[4]
	}
	END { show() }'
}

series=7.3 only_objects=''
while [ $# -gt 0 ]; do
	case "$1" in
	-h|--help) usage "$0"; exit ;;
	--series)
		[ $# -ge 2 ] || usage_error "--series needs a version"
		series="$2"
		shift ;;
	--objects) only_objects=1 ;;
	-*) usage_error "unknown option '$1'" ;;
	*) break ;;
	esac
	shift
done
patches="$checkout/drivers/gpu/drm/$series"
[ -d "$patches" ] || usage_error "there are no patches in drivers/gpu/drm/$series"
if [ -n "$only_objects" ]; then
	touched | sed 's/\.c$/.o/'
	exit
fi
[ $# = 2 ] || usage_error "needs two build folders"

missing=0
for file in $(touched); do
	for build in "$1" "$2"; do
		[ -e "$build/${file%.c}.o" ] || {
			note "there is no $build/${file%.c}.o"
			missing=1
		}
	done
done
[ "$missing" = 0 ] || die "objects are missing: make O=... \$(${0##*/} --objects) makes them"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
read -rd '' -a known < <(events) || true
for file in $(touched); do
	object="${file%.c}.o"
	perl "$here/bench/offcost.pl" "$(basename "$object")" "$1/$object" "$2/$object" "${known[@]}" \
		>>"$work/functions" || die "cannot read $object"
	printf '%s\t%s\t%s\n' "$(module_of "$file")" "$(sizes "$1/$object")" "$(sizes "$2/$object")" >>"$work/sizes"
done
mkdir -p "$out"
{ part_functions && part_sizes; } >"$work/report"
mv "$work/report" "$out/offcost.md"
cat "$out/offcost.md"
