#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does the kernel link with grtrace and what it traces built in, as modules, and
# not at all?  Builds a small x86 kernel for each combination that makes a
# difference: vmlinux, all modules, modpost without a warning, and Kconfig as it
# is meant: what cannot be built in is a module, what cannot be is not there.
# Prints TAP.  Some minutes the first time, for the kernel itself.
#
# i915, amdgpu and nouveau are not built: their sources must not need anything of
# them, so what these have undefined is looked up in the kernel without them.
#
# Usage: links.sh [BASE [NAME...]]
#
#   BASE  7.3 (default), or a kernel source tree
#   NAME  only these combinations, see intree/links
#
# Exit status: 0 when all link, else 1; 2 wrong usage.

# What runs under a lock of the cache is called by name, with variables of its
# caller:
# shellcheck disable=SC2317,SC2154
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for part in report cache files series overlay kbuild; do
	# shellcheck source=/dev/null
	. "$here/lib/$part.sh"
done

case "${1:-}" in -h|--help) usage "$0"; exit ;; -*) usage_error "unknown option '$1'" ;; esac
base="${1:-7.3}"
shift $(($# > 0))

# What all combinations have.
COMMON=(64BIT=y PCI=y ACPI=y EXPERT=y PRINTK=y DEBUG_FS=y FTRACE=y ENABLE_DEFAULT_TRACERS=y
	VIRTIO_MENU=y VIRTIO_PCI=y SHMEM=y KUNIT_DEBUGFS=y)

# fragment WORD...: a configuration that asks for what the words do, up to ">".
fragment() {
	local word
	for word; do
		printf 'CONFIG_%s\n' "${word%>*}"
	done | grep -v '=n$'
}

# unmet WORD...: the words whose option is not what it has to be: what comes
# after ">", or what was asked for.
unmet() {
	local word option want got
	for word; do
		option="${word%%=*}"
		want="${word##*[=>]}"
		got="$(sed -nE "s/^CONFIG_$option=//p" "$build/.config")"
		[ "${got:-n}" = "$want" ] || printf '%s is %s, not %s\n' "$option" "${got:-n}" "$want"
	done
}

# undefined: what our modules and built-in objects need and nothing gives; with
# the exports of the last kernel that was linked as a whole.
undefined() {
	local object
	find "$build/drivers/gpu/grtrace" -name 'grtrace*.o' ! -name '*.mod.o' | while read -r object; do
		nm -u "$object" | sed -E 's/^ *[Uw] //' | LC_ALL=C sort -u |
			LC_ALL=C comm -23 - "$build/known" | sed "s|^|${object##*/} needs |"
	done
}

# known: what objects may need of the kernel: all of it, as long as one of them
# is built in, and what grtrace itself defines.
known() {
	{
		nm "$build/vmlinux.o" 2>/dev/null | awk '$2 ~ /^[A-TVWX]$/ { print $3 }'
		cut -f2 "$build/Module.symvers"
		find "$build/drivers/gpu/grtrace" -name '*.o' -print0 | xargs -0 nm 2>/dev/null |
			awk '$2 ~ /^[A-TVWX]$/ { print $3 }'
		# from the linker's script
		printf '%s\n' __start___tracepoints_ptrs __stop___tracepoints_ptrs _GLOBAL_OFFSET_TABLE_
	} | LC_ALL=C sort -u
}

# combination NAME HOW WORD...: build it; what is wrong, on stdout.
combination() {
	local how="$2" log="$build/log.$1" targets=(vmlinux modules) status=0; shift 2
	fragment "${COMMON[@]}" "$@" >"$build/fragment"
	KCONFIG_ALLCONFIG="$build/fragment" kbuild "$tree" "$build" allnoconfig >"$log" 2>&1 || status=$?
	[ "$status" = 0 ] || { tail -n 5 "$log"; return; }
	unmet "$@"
	if [ "$how" = objects ]; then
		targets=(drivers/gpu/grtrace/)
	fi
	kbuild "$tree" "$build" "${targets[@]}" >>"$log" 2>&1 || status=$?
	if [ "$status" != 0 ]; then
		grep -E 'rror|undefined' "$log" | head -n 20
	fi
	grep -E 'drivers/gpu/grtrace/.*(warning|error):|modpost|^WARNING|^ERROR|has no CRC' "$log" | grep -vE '^  (MODPOST|CC|LD|HOSTCC|HOSTLD) ' | head -n 20 || true
	if [ "$how" = objects ]; then
		known >"$build/known"
		undefined
	fi
}

# all NAME...: with the lock of the tree held.
all() {
	local build="$entry/build-links" name how words number=0 failed=0 said
	mkdir -p "$build"
	echo "TAP version 13"
	while read -r name how words; do
		case "$name" in ''|'#'*) continue ;; esac
		if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name"; then
			continue
		fi
		number=$((number + 1))
		# shellcheck disable=SC2086
		said="$(combination "$name" "$how" $words)"
		if [ -z "$said" ]; then
			echo "ok $number $name"
		else
			printf '%s\n' "$said" | sed 's/^/# /'
			echo "not ok $number $name"
			failed=1
		fi
	done < <(sed -e :a -e '/\\$/N; s/\\\n//; ta' "$here/intree/links")
	echo "1..$number"
	return "$failed"
}

"$here/deps.sh" kernel series
source="$(overlay_source "$base")"
cd "$here/../.."
overlay_with "$source" links all "$@"
