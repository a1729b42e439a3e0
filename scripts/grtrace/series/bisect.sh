#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks that each step of the series builds, so that a bisection never ends at a
# commit that does not build.  Goes through the steps in one tree, changes only
# the files that differ, and compiles the folders that the step touches, with the
# options of the configuration for guests (kernel/config/config) that exist at
# that step.  At the main steps, which the table "series" names, it builds the
# whole kernel with all modules and boots it.  Prints TAP, and stops at the first
# step that fails.
#
# The first time takes as long as two kernels; ccache knows them afterwards.
#
# Usage: bisect.sh [options] [BASE]
#
#   BASE         7.3 (default), or a kernel source tree
#   --from STEP  begin with this step, or its number (default: the kernel itself)
#   --to STEP    end with it
#
# Exit status: 0 when all were built, else 1; 2 wrong usage.

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache series overlay kbuild

from='' to=''
options '--from: --to:' "$@"
set -- "${args[@]}"
[ $# -le 1 ] || usage_error "one base at a time"
"$here/deps.sh" kernel series vm
source="$(overlay_source "${1:-7.3}")"
cd "$checkout"
repo="$(series_repo "$source")"
series_read "$(cat "$repo/.git/folder")"

# step_named NAME: the step that is called so, or has that number.
step_named() {
	local step
	for step in base "${steps[@]}"; do
		case "$step" in "$1"|"$1"-*) printf '%s\n' "$step"; return ;; esac
	done
	usage_error "there is no step $1 in $(cat "$repo/.git/folder")/series"
}
first="$(step_named "${from:-base}")"
last="$(step_named "${to:-${steps[-1]}}")"
chosen=()
for step in base "${steps[@]}"; do
	[ "$step" != "$first" ] && [ ${#chosen[@]} = 0 ] || chosen+=("$step")
	[ "$step" != "$last" ] || break
done
case " ${chosen[*]} " in *" $last "*) ;; *) usage_error "$last comes before $first" ;; esac

# targets STEP: what to make after it: folders, or the words whole, tools and
# selftests.
targets() {
	local step="$1" file folder
	if [ "$step" = base ] || [ "${step_main[$step]}" = main ]; then
		echo whole
	fi
	[ "$step" != base ] || return 0
	series_git "$repo" diff --name-only "$step^" "$step" | while read -r file; do
		case "$file" in
		drivers/gpu/drm/amd/*) echo drivers/gpu/drm/amd/amdgpu/ ;;
		drivers/gpu/drm/*/*)
			folder="${file#drivers/gpu/drm/}"
			echo "drivers/gpu/drm/${folder%%/*}/" ;;
		drivers/gpu/drm/*) echo drivers/gpu/drm/ ;;
		drivers/gpu/grtrace/*|include/linux/grtrace.h|include/uapi/drm/grtrace_drm.h)
			[ ! -e "$tree/drivers/gpu/grtrace/Makefile" ] || echo drivers/gpu/grtrace/ ;;
		drivers/gpu/*) echo drivers/gpu/ ;;
		drivers/*/*)
			folder="${file#drivers/}"
			echo "drivers/${folder%%/*}/" ;;
		include/trace/events/*) echo drivers/dma-buf/ drivers/gpu/ ;;
		include/*) echo whole ;;
		tools/grtrace/*) echo tools ;;
		# with the next whole kernel, which they are linked to
		tools/testing/selftests/grtrace/modules/*) ;;
		tools/testing/selftests/*) echo selftests ;;
		esac
	done | tr ' ' '\n' | LC_ALL=C sort -u
}

# make_targets TARGET...: make's output goes to the log.
make_targets() {
	local target folders=() status=0
	kconfig_fragment "$tree" "${guest_config[@]}" >"$build/fragment.new"
	kconfig_set "$build/fragment.new" "$build" kbuild "$tree" "$build" || return
	for target; do
		case "$target" in
		whole)
			kbuild "$tree" "$build" UT=1 bzImage modules &&
				kbuild_tests "$tree" "$build" modules || return ;;
		tools)
			make -j "$(nproc)" -C "$tree/tools/grtrace" O="$entry/tools" </dev/null || return ;;
		selftests)
			# A folder of their own: the whole kernel's has headers of other steps.
			make -C "$tree" O="$entry/selftests" headers </dev/null &&
				make -C "$tree/tools/testing/selftests" TARGETS=grtrace FORCE_TARGETS=1 O="$entry/selftests" </dev/null || return ;;
		*) folders+=("$target") ;;
		esac
	done
	# A whole kernel has them.
	if [ ${#folders[@]} -gt 0 ] && [[ " $* " != *" whole "* ]]; then
		kbuild "$tree" "$build" "${folders[@]}" || status=$?
	fi
	return "$status"
}

# build_step STEP TARGET...: prints what is wrong with it.
build_step() {
	local step="$1" status=0 touched; shift
	make_targets "$@" >"$build/log" 2>&1 || status=$?
	mapfile -t touched < <(series_c_files "$repo" "$step")
	kbuild_verdict "$status" "$build" "the kernel at $step" "${touched[@]}"
	if [[ " $* " == *" whole "* ]]; then
		rm -rf "$entry/image"
		mkdir "$entry/image"
		image_install "$entry/image" || die "the kernel at $step was built and cannot be installed: see $build/log"
		image_boot "$entry/image" || die "the kernel at $step was built and does not come up: exit status $?"
	fi
}

# all_steps: with the lock of the tree held.
all_steps() {
	local build="$entry/build-guest" step number=0 started what
	mkdir -p "$build"
	printf 'TAP version 13\n1..%s\n' "${#chosen[@]}"
	for step in "${chosen[@]}"; do
		number=$((number + 1))
		started="$SECONDS"
		overlay_lay "$entry" "$source" "$repo" "$step"
		mapfile -t what < <(targets "$step")
		if ! ( build_step "$step" "${what[@]}" ) 2>"$entry/said"; then
			sed 's/^/# /' "$entry/said"
			printf 'not ok %s %s: %s\n' "$number" "$step" "${what[*]:-nothing to build}"
			return 1
		fi
		printf 'ok %s %s: %s (%s s)\n' "$number" "$step" "${what[*]:-nothing to build}" "$((SECONDS - started))"
	done
}
# shellcheck disable=SC2034
overlay_at="$first"
overlay_with "$source" bisect all_steps
