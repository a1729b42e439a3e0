# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The parts of test.sh: what there is, how its results are counted, how long it may
# take, and what it runs.  Each is run by "test.sh --inside NAME" in a session of its
# own.

# The parts are called by name, and the tables are the caller's:
# shellcheck disable=SC2317,SC2034,SC2154

# How long the fuzzer runs, seconds.
FUZZ_TIME=60

# Name; how its results are counted: check (the part is one), tap, gtest; how many
# minutes it may take where kernels have to be built first, on a slow machine; and how
# many seconds a test case, where no harness within looks after that (a guest's does).
# A guest or the fuzzer keeps one processor busy, so that something else may run
# beside: a part in the background goes on while those after it run.
# What a user runs: nothing here builds a kernel.
parts=(
	"packages             check  30"
	"scripts              tap    10 120"
	"modules-6.12-bookworm check 20"
	"modules-6.12-trixie  check  20"
	"modules-7.3          check  20"
	"modules-by-hand      check  10"
	"tools                check  40"
	"fuzz                 check  30   0 background"
	"selftests-6.12       tap    60   0 background"
	"unit                 gtest  20 120"
	"cli                  tap    20 120"
	"truth                tap    30 300"
	"truth-mutants        tap    20 180"
	"page                 tap    20 300"
	"kunit                tap    40 300"
	"no-debugfs           check  30"
	"selftests-7.3        tap    60   0 background"
	"static               tap    40"
	"oracle-3d-6.12       tap    30"
	"oracle-3d-7.3        tap    30"
	"vblank-6.12          tap    30"
	"suspend-6.12         tap    30"
	"suspend-7.3          tap    30"
	"demo                 check  30"
)

# The patched kernel, and whatever else is built from its source.
kernel_parts=(
	"packages             check  30"
	"series               check  20"
	"kernel-7.3           check  90"
	"short-kasan          tap    90   0 background"
	"static-intree        tap    40"
	"sched-uml            tap    20"
	"sched-intree         tap    20"
	"sources-intree       tap    40"
	"boot-intree          tap    30"
	"selftests-intree     tap    60"
	"oracle-3d-intree     tap    30"
	"oracle-2d-intree     tap    30"
)

debug_parts=(
	"sanitize-unit        gtest  60 600"
	"sanitize-cli         tap    60 600"
	"sanitize-truth       tap    90 900"
	"kunit-kasan          tap   120"
	"selftests-kasan      tap   180"
	"kunit-kcsan          tap   120"
	"selftests-kcsan      tap   180"
	"oracle-3d-kcsan      tap    90"
	"dkms-install         tap    60"
	"series-6.12          check  30"
	"sources-6.12         tap   120"
	"selftests-6.12-intree tap  120"
)

part_packages() { "$here/deps.sh" build test check module uml vm gpu; }

part_scripts() {
	local status=0 test
	for test in "$here"/test/cases/*.t; do
		"$test" || status=1
	done
	return "$status"
}
# The patches, on the kernel that they are for: seconds, where nothing changed.
part_series() { "$here/series/series.sh" --check; }
part_modules-6.12-bookworm() { "$here/kernel/modules.sh" 6.12-bookworm; }
part_modules-6.12-trixie() { "$here/kernel/modules.sh" 6.12-trixie; }
part_modules-7.3() { "$here/kernel/modules.sh" 7.3; }

# As kernel people do it, in a copy because it builds among the sources.
part_modules-by-hand() {
	local tree status=0
	tree="$(mktemp -d)"
	(
		cd "$here/../.." &&
		find drivers/gpu/grtrace include -name '*.[ch]' -o -name Makefile -o -name Kconfig |
			cpio -pdm --quiet "$tree" &&
		cd "$tree" &&
		make -C "$("$here/kernel/kernel.sh" 6.12 headers)" M="$PWD/drivers/gpu/grtrace" >log 2>&1
	) || status=$?
	cat "$tree/log"
	if grep -qiE '(^|[^[:alpha:]])warning:' "$tree/log" || [ ! -e "$tree/drivers/gpu/grtrace/grtrace.ko" ]; then
		status=1
	fi
	rm -rf "$tree"
	return "$status"
}

part_tools() { "$here/tools.sh"; }
part_unit() { "$here/tools.sh" unit-test; }
part_cli() { "$here/tools.sh" cli-test; }
# Always the same seeds: those by chance are for `make truth`, whose failure is news.
part_truth() { "$here/tools.sh" truth FIRST=1; }
part_truth-mutants() { "$here/tools.sh" truth-mutants; }
part_page() { "$here/test/page.sh"; }
part_kunit() { "$here/test/kunit.sh"; }
# The core does not start then, and whoever calls it must not fall over that.
part_no-debugfs() { "$here/uml/uml.sh" --append debugfs=off -- true; }
part_fuzz() { nice "$here/tools.sh" fuzz "T=$FUZZ_TIME"; }
# clang-tidy takes longer than all others together.
part_static() { "$here/check/check.sh" --without clang-tidy --without 'intree-*'; }
part_static-intree() { "$here/check/check.sh" 'intree-*'; }
part_selftests-6.12() { "$here/test/selftests.sh" 6.12; }
part_selftests-7.3() { "$here/test/selftests.sh" 7.3; }
# The real driver, with fences and waits.  Only this test has a GPU: the storm
# unloads drivers, and virtio_gpu itself does not always survive that with a
# device (7.3 warns in drm_mm_takedown(), virgl in QEMU 7.2 ends by SIGSEGV).
part_oracle-3d-6.12() { "$here/test/selftests.sh" --gpu virgl --icount 6.12 oracle_test.sh; }
part_oracle-3d-7.3() { "$here/test/selftests.sh" --gpu virgl --icount 7.3 oracle_test.sh; }

# In a kernel that finds bugs of memory, locks and sleeping.  On two processors that
# is half an hour of one, most of it the kernel; what passed on the same kernel is not
# run again.
part_short-kasan() { "$here/test/selftests.sh" --once --short 7.3-kasan; }

# The patched kernel.  The scheduler's suites are many and slow in a guest, so that
# only UML runs them all; of the kselftests those that know where they are.
SCHED_SUITES=(drm_sched_basic_tests drm_sched_basic_timeout_tests drm_sched_basic_cancel_tests
	drm_sched_concurrent_tests drm_sched_kill_tests 'drm_sched_trace*')
INTREE_TESTS=(control_test config_test filter_test views_test sync_test jobs_test.sh record_test.sh source_test.sh)
part_kernel-7.3() { "$here/kernel/intree.sh" 7.3; }
part_sched-uml() { "$here/test/sched_kunit.sh" uml; }
part_sched-intree() { "$here/test/sched_kunit.sh" 7.3 "${SCHED_SUITES[@]}"; }
part_sources-intree() { "$here/test/kunit.sh" --guest 7.3; }
part_boot-intree() { "$here/test/intree_test.sh" 7.3; }
part_selftests-intree() {
	echo "# only ${INTREE_TESTS[*]}; all: selftests.sh 7.3-intree"
	"$here/test/selftests.sh" 7.3-intree "${INTREE_TESTS[@]}"
}
part_oracle-3d-intree() { "$here/test/selftests.sh" --gpu virgl --icount 7.3-intree oracle_test.sh; }
# The GPU that has vblanks.
part_oracle-2d-intree() { "$here/test/selftests.sh" --gpu 2d 7.3-intree oracle_test.sh monitor_vblank_test.sh; }

# Whose virtio-gpu has none.
part_vblank-6.12() { "$here/test/selftests.sh" --vkms 6.12 monitor_vblank_test.sh; }

# With files that outlast a sleep of the guest's devices.
part_suspend-6.12() { "$here/test/selftests.sh" --memory-root 6.12 suspend_test.sh; }
part_suspend-7.3() { "$here/test/selftests.sh" --memory-root 7.3 suspend_test.sh; }

part_demo() { "$here/demo.sh"; }

# The tools, with AddressSanitizer and UBSan.
part_sanitize-unit() { "$here/tools.sh" sanitize-unit-test; }
part_sanitize-cli() { "$here/tools.sh" sanitize-cli-test; }
part_sanitize-truth() { "$here/tools.sh" sanitize-truth FIRST=1; }
part_kunit-kasan() { "$here/test/kunit.sh" --guest 7.3 --debug kasan; }
part_kunit-kcsan() { "$here/test/kunit.sh" --guest 7.3 --debug kcsan; }
# One round of each storm: a round is several times as long as elsewhere.
part_selftests-kasan() { ROUNDS=1 GRTRACE_TORTURE_SECONDS=2 "$here/test/selftests.sh" 7.3-kasan; }
part_selftests-kcsan() { ROUNDS=1 GRTRACE_TORTURE_SECONDS=10 "$here/test/selftests.sh" 7.3-kcsan; }
# With a real driver, its fences, waits and interrupts.
part_oracle-3d-kcsan() { "$here/test/selftests.sh" --gpu virgl 7.3-kcsan oracle_test.sh; }
part_dkms-install() { "$here/kernel/dkms.sh" --install 6.12; }
# The backport.
part_series-6.12() { "$here/series/series.sh" --check 6.12; }
part_sources-6.12() { "$here/test/kunit.sh" --guest 6.12; }
part_selftests-6.12-intree() { "$here/test/selftests.sh" 6.12-intree; }
