#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks that the kernel links with grtrace, and with what it traces, built in, as
# modules, and absent.  Builds a small x86 kernel for each combination that makes
# a difference: vmlinux, all modules, modpost without a warning, and the intended
# result of Kconfig (an option that cannot be built in becomes a module, an
# impossible one is off).  Prints TAP.  Takes some minutes the first time.
#
# i915, amdgpu and nouveau are large, so only the result of Kconfig is checked for
# them; intree.sh builds them.
#
# Usage: links.sh [--config] [BASE [NAME...]]
#
#   --config  build nothing: only check the result of Kconfig for each, for the fragment
#             for distributions with Debian's configuration, and for what the kselftests
#             ask for with the usual one of x86-64; takes seconds
#   BASE      7.3 (default), or a kernel source tree
#   NAME      only these combinations, see kernel/config/links; "distribution" and
#             "kselftests" are those fragments
#
# Exit status: 0 when all link, else 1; 2 wrong usage.

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154
. "$(dirname "$0")/../lib/use.sh" cache series overlay kbuild result

only_config=''
options '--config=only_config' "$@"
set -- "${args[@]}"
base="${1:-7.3}"
shift $(($# > 0))

# Options of all combinations.
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

# combination NAME HOW WORD...: build it; what is wrong, on stdout.
combination() {
	local how="$2" log="$build/log.$1" targets=(vmlinux) status=0; shift 2
	fragment "${COMMON[@]}" "$@" >"$build/fragment"
	KCONFIG_ALLCONFIG="$build/fragment" kbuild "$tree" "$build" allnoconfig >"$log" 2>&1 || status=$?
	[ "$status" = 0 ] || { tail -n 5 "$log"; return; }
	unmet "$@"
	[ -z "$only_config" ] && [ "$how" = link ] || return 0
	case " $* " in *" MODULES=y "*) targets+=(modules) ;; esac
	kbuild "$tree" "$build" "${targets[@]}" >>"$log" 2>&1 || status=$?
	if [ "$status" != 0 ]; then
		grep -E 'rror|undefined' "$log" | head -n 20
	fi
	grep -E 'drivers/gpu/grtrace/.*(warning|error):|modpost|^WARNING|^ERROR|has no CRC' "$log" | grep -vE '^  (MODPOST|CC|LD|HOSTCC|HOSTLD) ' | head -n 20 || true
}

# with FRAGMENT: whether each option of it takes effect with the current configuration;
# what is wrong, on stdout.
with() {
	local fragment="$1" log="$build/log.with"
	grep -v '^#' "$fragment" >>"$build/.config"
	kbuild "$tree" "$build" olddefconfig >"$log" 2>&1 || { tail -n 5 "$log"; return; }
	grep ^CONFIG "$fragment" | grep -vxFf "$build/.config" | sed 's/$/ is not in effect/' || true
}

distribution() {
	cp "$debian" "$build/.config"
	with Documentation/gpu/grtrace/distribution.config
}

# Not with Debian's, where other drivers select what has no prompt.
kselftests() {
	kbuild "$tree" "$build" x86_64_defconfig >"$build/log.kselftests" 2>&1 || { tail -n 5 "$build/log.kselftests"; return; }
	with tools/testing/selftests/grtrace/config
}

# silent COMMAND...: it found nothing wrong.
silent() { ! "$@" | grep .; }

# all NAME...: with the lock of the tree held.
all() {
	local build="$entry/build-links" name how words
	[ -z "$only_config" ] || build="$entry/build-config"
	mkdir -p "$build"
	while read -r name how words; do
		case "$name" in ''|'#'*) continue ;; esac
		if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name"; then
			continue
		fi
		# shellcheck disable=SC2086
		holds "$name" silent combination "$name" "$how" $words
	done < <(sed -e :a -e '/\\$/N; s/\\\n//; ta' "$here/kernel/config/links")
	for name in ${debian:+distribution kselftests}; do
		if [[ " ${*:-$name} " == *" $name "* ]]; then
			holds "$name" silent "$name"
		fi
	done
	[ "$number" != 0 ] || die "there is no such combination in kernel/config/links: $*"
	plan
}

"$here/deps.sh" kernel series
source="$(overlay_source "$base")"
debian=
[ -z "$only_config" ] || [ -d "$base" ] || debian="$("$here/kernel/kernel.sh" "$base" headers)/.config"
cd "$checkout"
# The small kernel has a tree of its own, whose files keep their times.
overlay_with "$source" "$([ -n "$only_config" ] && echo work || echo links)" all "$@"
