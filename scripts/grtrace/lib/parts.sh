# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The parts of test.sh: their names, how their results are counted, how long they may
# take, and what they run.  "test.sh --inside NAME" runs each in a session of its own.

# The caller uses the tables:
# shellcheck disable=SC2034,SC2154

# The columns: its name; how its results are counted: check (the whole part is one), tap
# or gtest; its limit in minutes, for a slow machine that has to build kernels first; the
# limit of a test case in seconds, or 0 if its harness has one (a guest's does); whether
# later parts run beside it; the script that it runs, or none for the function part_NAME.
# A guest or the fuzzer keeps one processor busy.
# The parts that users run: nothing here builds a kernel.
parts=(
	"packages             check  30   0 -          deps.sh build test check module uml vm gpu"
	"scripts              tap    20 300"
	"modules-6.12-bookworm check 20   0 -          kernel/modules.sh 6.12-bookworm"
	"modules-6.12-trixie  check  20   0 -          kernel/modules.sh 6.12-trixie"
	"modules-7.3          check  20   0 -          kernel/modules.sh 7.3"
	"modules-by-hand      check  10"
	"tools                check  40   0 -          tools.sh"
	"fuzz                 check  30   0 background tools.sh fuzz T=60"
	"selftests-6.12       tap    60   0 background test/selftests.sh 6.12"
	"unit                 gtest  20 120 -          tools.sh unit-test"
	"cli                  tap    20 120 -          tools.sh cli-test"
	# Always the same seeds: those by chance are for "make truth", whose failure is news.
	"truth                tap    30 300 -          tools.sh truth FIRST=1"
	"truth-mutants        tap    20 180 -          tools.sh truth-mutants"
	"big-endian           tap    20 120 -          test/big_endian.sh"
	"page                 tap    20 300 -          test/page.sh"
	# With DuckDB, and with ClickHouse where "make test-fleet" has fetched it.
	"fleet                tap    10 300 -          test/fleet.sh"
	"kunit                tap    40 300 -          test/kunit.sh"
	# The core does not start then, and whoever calls it must not fall over that.
	"no-debugfs           check  30   0 -          uml/uml.sh --append debugfs=off -- true"
	"selftests-7.3        tap    60   0 background test/selftests.sh 7.3"
	# clang-tidy takes longer than all others together.
	"static               tap    40   0 -          check/check.sh --without clang-tidy --without intree-*"
	"many-cpus            tap    30   0 -          test/many_cpus.sh"
	# The real driver, with fences and waits.  Only this test has a GPU: the storm
	# unloads drivers, and virtio_gpu itself does not always survive that with a
	# device (7.3 warns in drm_mm_takedown(), virgl in QEMU 7.2 ends by SIGSEGV).
	"oracle-3d-6.12       tap    30   0 -          test/selftests.sh --gpu virgl --icount 6.12 oracle_test.sh"
	"oracle-3d-7.3        tap    30   0 -          test/selftests.sh --gpu virgl --icount 7.3 oracle_test.sh"
	# Whose virtio-gpu has none.
	"vblank-6.12          tap    30   0 -          test/selftests.sh --vkms 6.12 monitor_vblank_test.sh"
	# With files that outlast a sleep of the guest's devices.
	"suspend-6.12         tap    30   0 -          test/selftests.sh --memory-root 6.12 suspend_test.sh"
	"suspend-7.3          tap    30   0 -          test/selftests.sh --memory-root 7.3 suspend_test.sh"
	"demo                 check  30   0 -          demo.sh"
)

# The patched kernel, and whatever else is built from its source.  The scheduler's suites
# are many and slow in a guest, so that only UML runs them all; of the kselftests those
# that know where they are.
INTREE_TESTS="control_test config_test filter_test views_test sync_test jobs_test.sh record_test.sh source_test.sh sources_test.sh"
# Of the kselftests those whose ways through the kernel differ: lifetimes, rings, channel,
# session, filter, sources, torture, faults.  The others are of programs and of what user
# space is told, on these same ways: they run on the stock kernels, and here in test-debug.
KASAN_TESTS="control_test config_test channel_test sampling_test limit_test pressure_test rules_test snapshot_test
	sync_test views_test torture_test filter_test fault_test files_fuzz_test source_test.sh storm_test.sh lifetime_test.sh"
kernel_parts=(
	"${parts[0]}"
	# The patches, on the kernel that they are for: seconds, where nothing changed.
	"series               check  20   0 -          series/series.sh --check"
	"kernel-7.3           check  90   0 -          kernel/intree.sh 7.3"
	# In a kernel that finds bugs of memory, locks and sleeping.  What passed on the same
	# kernel is not run again.
	"short-kasan          tap    90   0 background test/selftests.sh --once --short 7.3-kasan $KASAN_TESTS"
	"static-intree        tap    40   0 -          check/check.sh intree-*"
	"sched-uml            tap    20   0 -          test/sched_kunit.sh uml"
	"sched-intree         tap    20   0 -          test/sched_kunit.sh 7.3 drm_sched_basic_tests drm_sched_basic_timeout_tests
		drm_sched_basic_cancel_tests drm_sched_concurrent_tests drm_sched_kill_tests drm_sched_trace*"
	"sources-intree       tap    40   0 -          test/kunit.sh --guest 7.3"
	"boot-intree          tap    30   0 -          test/intree_test.sh 7.3"
	"selftests-intree     tap    60   0 -          test/selftests.sh 7.3-intree $INTREE_TESTS"
	"oracle-3d-intree     tap    30   0 -          test/selftests.sh --gpu virgl --icount 7.3-intree oracle_test.sh"
	# The GPU that has vblanks.
	"oracle-2d-intree     tap    30   0 -          test/selftests.sh --gpu 2d 7.3-intree oracle_test.sh monitor_vblank_test.sh"
)

debug_parts=(
	"sanitize-unit        gtest  60 600 -          tools.sh sanitize-unit-test"
	"sanitize-cli         tap    60 600 -          tools.sh sanitize-cli-test"
	"sanitize-truth       tap    90 900 -          tools.sh sanitize-truth FIRST=1"
	"kunit-kasan          tap    90   0 -          test/kunit.sh --guest 7.3 --debug kasan"
	# One round of each storm: a round is several times as long as elsewhere.
	"selftests-kasan      tap   180"
	"kunit-kcsan          tap   120   0 -          test/kunit.sh --guest 7.3 --debug kcsan"
	"selftests-kcsan      tap   180"
	# With a real driver, its fences, waits and interrupts.
	"oracle-3d-kcsan      tap    90   0 -          test/selftests.sh --gpu virgl 7.3-kcsan oracle_test.sh"
	"deb-bookworm         tap    60   0 -          package/deb.sh --test bookworm"
	"deb-trixie           tap    60   0 -          package/deb.sh --test trixie"
	"dkms-install         tap    60   0 -          kernel/dkms.sh --install 6.12"
	# The backport.
	"series-6.12          check  30   0 -          series/series.sh --check 6.12"
	"sources-6.12         tap   120   0 -          test/kunit.sh --guest 6.12"
	"selftests-6.12-intree tap  120   0 -          test/selftests.sh 6.12-intree"
)

part_selftests-kasan() { ROUNDS=1 GRTRACE_TORTURE_SECONDS=2 "$here/test/selftests.sh" 7.3-kasan; }
part_selftests-kcsan() { ROUNDS=1 GRTRACE_TORTURE_SECONDS=10 "$here/test/selftests.sh" 7.3-kcsan; }

part_scripts() {
	local status=0 test
	for test in "$here"/test/cases/*.t; do
		"$test" || status=1
	done
	return "$status"
}

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
