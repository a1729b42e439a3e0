#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the series on other kernels than its own: either it applies, or the patch, the
# file and the hunk that do not apply are named.  The test makes these kernels from the
# files that the patches touch.
. "$(dirname "$0")/../../lib/use.sh" series result
cd "$here/../.."
patches=drivers/gpu/drm/7.3
"$here/deps.sh" series
stock="$("$here/kernel/kernel.sh" 7.3 source)"
# Trees of made-up kernels do not belong into the cache, and do not count as filling it.
unset GRTRACE_FILLED
export XDG_CACHE_HOME="$work/cache"
main=drivers/gpu/drm/scheduler/sched_main.c

# kernel VERSION: a tree in $work/VERSION.
kernel() {
	local version patchlevel sublevel
	IFS=. read -r version patchlevel sublevel <<<"$1"
	mkdir "$work/$1"
	( cd "$stock" && { patch_touches "$OLDPWD/$patches"/*.patch; echo README; } | xargs cp --parents -t "$work/$1" )
	printf 'VERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = %s\nEXTRAVERSION =\n' "$version" "$patchlevel" "$sublevel" >"$work/$1/Makefile"
}

# applies NAME VERSION: prints the tree into $work/tree.
applies() {
	if "$here/kernel/overlay.sh" "$work/$2" >"$work/tree" 2>"$work/said" && ! grep -v '^\[grtrace\]' "$work/said"; then
		result 0 "$1"
	else
		result 1 "$1"
	fi
}

# refused NAME VERSION REGEX: with this sentence and nothing else.
refused() {
	if "$here/kernel/overlay.sh" "$work/$2" >"$work/tree" 2>"$work/said"; then
		echo "it applies" >>"$work/said"
		result 1 "$1"
	elif [ -s "$work/tree" ] || [ "$(grep -cv '^\[grtrace\]' "$work/said")" != 1 ] || ! grep -qE "^overlay\.sh: $3" "$work/said"; then
		echo "wanted: $3" >>"$work/said"
		result 1 "$1"
	else
		result 0 "$1"
	fi
}

kernel 7.3.99
applies a_newer_point_release 7.3.99
tree="$(cat "$work/tree")"
holds patches_are_in grep -q trace_drm_sched_job_hw_fence "$tree/$main"
holds our_files_are_in test -e "$tree/drivers/gpu/grtrace/channel.c"
holds the_kernel_itself_is_as_it_was cmp "$stock/$main" "$work/7.3.99/$main"

# A tree of one's own is followed, in what is patched and in all else.  make builds
# what has a new time, so nothing else may have one.
touch "$work/before" "$work/after"
until [ "$work/after" -nt "$work/before" ]; do
	touch "$work/after"
done
echo '/* the last line */' >>"$work/7.3.99/$main"
echo 'another text' >"$work/7.3.99/README"
echo 'a file' >"$work/7.3.99/new"
applies a_tree_that_changed 7.3.99
holds a_patched_file_follows grep -q 'the last line' "$tree/$main"
holds and_is_patched grep -q trace_drm_sched_job_hw_fence "$tree/$main"
holds other_files_follow cmp "$work/7.3.99/README" "$tree/README"
holds and_new_ones test -e "$tree/new"
holds nothing_else_has_a_new_time diff <(printf '%s\n' README "$main" new) \
	<(find "$tree" -type f -newer "$work/before" -printf '%P\n' | LC_ALL=C sort)

# Lines that moved are no conflict.
kernel 7.4.0
sed -i '1i /* one line more */' "$work/7.4.0/$main"
applies the_next_version_with_lines_moved 7.4.0

kernel 7.5.0
sed -i '/^void drm_sched_resubmit_jobs/,/^}/s/ops->run_job(s_job)/ops->submit(s_job)/' "$work/7.5.0/$main"
refused a_hunk_does_not_apply 7.5.0 \
	"$patches/0011-drm-sched-hw-fence\.patch does not apply to Linux 7\.5\.0: hunk 1 of $main, @@ -[0-9]+,[0-9]+ \+[0-9]+,[0-9]+ @@"

kernel 7.6.1
sed -i '/^static void drm_sched_run_job_work/,/^}/s/ops->run_job(sched_job)/ops->submit(sched_job)/' "$work/7.6.1/$main"
refused the_second_hunk_of_a_file 7.6.1 \
	"$patches/0011-drm-sched-hw-fence\.patch does not apply to Linux 7\.6\.1: hunk 2 of $main, @@"

kernel 7.7.0
rm "$work/7.7.0/$main"
refused a_file_is_gone 7.7.0 "$patches/0011-drm-sched-hw-fence\.patch does not apply to Linux 7\.7\.0: there is no $main\$"

kernel 6.6.99
refused a_kernel_before_all_patches 6.6.99 'there are no patches for Linux 6\.6\.99: drivers/gpu/drm has them for 6\.12 7\.3'

# The table of a backport: what it does without, what it adds, whose patch it is.
backport() {
	series_py steps "$patches" | cut -d' ' -f1 >"$work/newest"
	series_py steps drivers/gpu/drm/6.12 >"$work/steps"
	series_py files drivers/gpu/drm/6.12 >"$work/files"
	! cut -d' ' -f1 "$work/steps" | grep -vxFf "$work/newest" && ! grep ^0020-drm-wedged "$work/steps" &&
	grep '^0062-.* drivers/gpu/drm/7.3/0062-drm-i915-bypass-add.patch$' "$work/steps" &&
	grep '^0011-.* drivers/gpu/drm/6.12/0011-drm-sched-hw-fence.patch$' "$work/steps" &&
	grep -x '0101-gpu-grtrace-counters drivers/gpu/grtrace/compat.h' "$work/files" && ! grep -E '^[?!]' "$work/files"
}
holds a_backport_is_like_the_newest backport

mkdir "$work/empty"
refused no_kernel empty '.*/empty is not a kernel source tree$'
plan
