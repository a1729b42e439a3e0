#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything that CI must see.  Each part's output goes to a log under out/test;
# what a failed part said is shown.  The last line is "N passed, N failed,
# N skipped": the sum over all test cases, a part that is one check counting 1.
#
# Usage: test.sh [--debug] [PART...]
#
#   PART    only these, see --list; a prefix will do
#   --debug instead, what takes long: the tools with sanitizers, all kselftests and
#           KUnit on kernels that look for bugs in themselves, the package for dkms,
#           installed, and the backport
#   --list  print the parts
#
# GRTRACE_TEST_MINUTES: a part whose turn comes later than that is skipped, and
# says so, for whoever is ended after some time; not set: all are run.
#
# Exit status: 0 when something ran and nothing failed, else 1; 2 wrong usage.

# The parts are called by name:
# shellcheck disable=SC2317
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for part in report cache tap splat; do
	# shellcheck source=/dev/null
	. "$here/lib/$part.sh"
done

# How long the fuzzer runs, seconds.
FUZZ_TIME=60
# When the kernel that finds bugs has to have its turn, where time is limited, minutes.
SHORT_KASAN_BY=16
# How much longer than GRTRACE_TEST_MINUTES a part may take that began in time.
STRAGGLER=10

# Name and how its results are counted: check (the part is one), tap, gtest.
# A guest or the fuzzer keeps one processor busy, so that something else may run
# beside: a part in the background goes on while those after it run.
parts=(packages:check scripts:tap series:check
	modules-6.12-bookworm:check modules-6.12-trixie:check modules-7.3:check modules-by-hand:check
	tools:check fuzz:check:background selftests-6.12:tap:background
	unit:gtest cli:tap truth:tap page:tap kunit:tap no-debugfs:check short-kasan:tap:background static:tap kernel-7.3:check
	selftests-7.3:tap:background
	oracle-3d-6.12:tap oracle-3d-7.3:tap
	sched-uml:tap sched-intree:tap sources-intree:tap boot-intree:tap
	selftests-intree:tap oracle-3d-intree:tap oracle-2d-intree:tap vblank-6.12:tap
	suspend-6.12:tap suspend-7.3:tap
	demo:check)

debug_parts=(sanitize-unit:gtest sanitize-cli:tap sanitize-truth:tap
	kunit-kasan:tap selftests-kasan:tap kunit-kcsan:tap selftests-kcsan:tap oracle-3d-kcsan:tap
	dkms-install:tap
	series-6.12:check sources-6.12:tap selftests-6.12-intree:tap)

part_packages() { "$here/deps.sh" build test check module uml vm gpu; }

part_scripts() { "$here/tests/tap.t" && "$here/tests/splat.t" && "$here/tests/offcost.t" && "$here/tests/series.t"; }
# The patches, on the kernel that they are for: seconds, where nothing changed.
part_series() { "$here/series.sh" --check; }
part_modules-6.12-bookworm() { "$here/modules.sh" 6.12-bookworm; }
part_modules-6.12-trixie() { "$here/modules.sh" 6.12-trixie; }
part_modules-7.3() { "$here/modules.sh" 7.3; }

# As kernel people do it, in a copy because it builds among the sources.
part_modules-by-hand() {
	local tree status=0
	tree="$(mktemp -d)"
	(
		cd "$here/../.." &&
		find drivers/gpu/grtrace include -name '*.[ch]' -o -name Makefile -o -name Kconfig |
			cpio -pdm --quiet "$tree" &&
		cd "$tree" &&
		make -C "$("$here/kernel.sh" 6.12 headers)" M="$PWD/drivers/gpu/grtrace" >log 2>&1
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
part_truth() { "$here/tools.sh" truth; }
part_page() { "$here/page.sh"; }
part_kunit() { "$here/kunit.sh"; }
# The core does not start then, and whoever calls it must not fall over that.
part_no-debugfs() { "$here/uml.sh" --append debugfs=off -- true; }
part_fuzz() { nice "$here/tools.sh" fuzz "T=$FUZZ_TIME"; }
# clang-tidy takes longer than all others together.
part_static() { "$here/check.sh" --without clang-tidy; }
part_selftests-6.12() { "$here/selftests.sh" 6.12; }
part_selftests-7.3() { "$here/selftests.sh" 7.3; }
# The real driver, with fences and waits.  Only this test has a GPU: the storm
# unloads drivers, and virtio_gpu itself does not always survive that with a
# device (7.3 warns in drm_mm_takedown(), virgl in QEMU 7.2 ends by SIGSEGV).
part_oracle-3d-6.12() { "$here/selftests.sh" --gpu virgl --icount 6.12 oracle_test.sh; }
part_oracle-3d-7.3() { "$here/selftests.sh" --gpu virgl --icount 7.3 oracle_test.sh; }

# In a kernel that finds bugs of memory, locks and sleeping.  On two processors that
# is half an hour of one, most of it the kernel, for which a machine that was slow
# until now has no time; what passed on the same kernel is not run again.  Who is
# ended after some time does not wait for it longer than for a part that began in
# time.
part_short-kasan() {
	local minutes="$(((SECONDS - started) / 60))" status=0 log
	local limit="$(((${GRTRACE_TEST_MINUTES:-0} + STRAGGLER) * 60))"
	if [ -z "${GRTRACE_TEST_MINUTES:-}" ]; then
		"$here/selftests.sh" --once --short 7.3-kasan
		return
	fi
	if [ "$minutes" -gt "$SHORT_KASAN_BY" ]; then
		echo 1..1
		echo "ok 1 short-kasan # SKIP $minutes minutes are over: make test PARTS=short-kasan"
		return
	fi
	log="$(mktemp)"
	timeout -k 30 "$((limit - (SECONDS - started)))" "$here/selftests.sh" --once --short 7.3-kasan >"$log" 2>&1 || status=$?
	# Half of a plan would count as failed.
	if [ "$status" = 124 ] && ! grep -qE '^(# )?not ok' "$log"; then
		sed 's/^/    /' "$log"
		echo 1..1
		echo "ok 1 short-kasan # SKIP not done after $((limit / 60)) minutes: make test PARTS=short-kasan"
		status=0
	else
		cat "$log"
	fi
	rm -f "$log"
	return "$status"
}

# The patched kernel.  The scheduler's suites are many and slow in a guest, so that
# only UML runs them all; of the kselftests those that know where they are.
SCHED_SUITES=(drm_sched_basic_tests drm_sched_basic_timeout_tests drm_sched_basic_cancel_tests
	drm_sched_concurrent_tests drm_sched_kill_tests 'drm_sched_trace*')
INTREE_TESTS=(control_test config_test emit_test views_test sync_test jobs_test.sh record_test.sh source_test.sh)
part_kernel-7.3() { "$here/intree.sh" 7.3; }
part_sched-uml() { "$here/sched_kunit.sh" uml; }
part_sched-intree() { "$here/sched_kunit.sh" 7.3 "${SCHED_SUITES[@]}"; }
part_sources-intree() { "$here/kunit.sh" --guest 7.3; }
part_boot-intree() { "$here/intree_test.sh" 7.3; }
part_selftests-intree() {
	echo "# only ${INTREE_TESTS[*]}; all: selftests.sh 7.3-intree"
	"$here/selftests.sh" 7.3-intree "${INTREE_TESTS[@]}"
}
part_oracle-3d-intree() { "$here/selftests.sh" --gpu virgl --icount 7.3-intree oracle_test.sh; }
# The GPU that has vblanks.
part_oracle-2d-intree() { "$here/selftests.sh" --gpu 2d 7.3-intree oracle_test.sh monitor_vblank_test.sh; }

# Whose virtio-gpu has none.
part_vblank-6.12() { "$here/selftests.sh" --vkms 6.12 monitor_vblank_test.sh; }

# With files that outlast a sleep of the guest's devices.
part_suspend-6.12() { "$here/selftests.sh" --memory-root 6.12 suspend_test.sh; }
part_suspend-7.3() { "$here/selftests.sh" --memory-root 7.3 suspend_test.sh; }

part_demo() { "$here/demo.sh"; }

# The tools, with AddressSanitizer and UBSan.
part_sanitize-unit() { "$here/tools.sh" sanitize-unit-test; }
part_sanitize-cli() { "$here/tools.sh" sanitize-cli-test; }
part_sanitize-truth() { "$here/tools.sh" sanitize-truth; }
part_kunit-kasan() { "$here/kunit.sh" --guest 7.3 --debug kasan; }
part_kunit-kcsan() { "$here/kunit.sh" --guest 7.3 --debug kcsan; }
# One round of each storm: a round is several times as long as elsewhere.
part_selftests-kasan() { ROUNDS=1 GRTRACE_TORTURE_SECONDS=2 "$here/selftests.sh" 7.3-kasan; }
part_selftests-kcsan() { ROUNDS=1 GRTRACE_TORTURE_SECONDS=10 "$here/selftests.sh" 7.3-kcsan; }
# With a real driver, its fences, waits and interrupts.
part_oracle-3d-kcsan() { "$here/selftests.sh" --gpu virgl 7.3-kcsan oracle_test.sh; }
part_dkms-install() { "$here/dkms.sh" --install 6.12; }
# The backport.
part_series-6.12() { "$here/series.sh" --check 6.12; }
part_sources-6.12() { "$here/kunit.sh" --guest 6.12; }
part_selftests-6.12-intree() { "$here/selftests.sh" 6.12-intree; }

if [ "${1:-}" = --debug ]; then
	parts=("${debug_parts[@]}")
	shift
fi
case "${1:-}" in
-h|--help) usage "$0"; exit ;;
--list) printf '%s\n' "${parts[@]%%:*}"; exit ;;
esac
wanted() {
	local prefix
	[ $# -gt 1 ] || return 0
	for prefix in "${@:2}"; do
		case "$1" in "$prefix"*) return 0 ;; esac
	done
	return 1
}
chosen=()
for part in "${parts[@]}"; do
	! wanted "${part%%:*}" "$@" || chosen+=("$part")
done
[ ${#chosen[@]} -gt 0 ] || usage_error "no part is called '$1'; see --list"

out="$here/../../out/test"
rm -rf "$out"
mkdir -p "$out"
out="$(cd "$out" && pwd)"
started="$SECONDS"
exec </dev/null
"$here/vm.sh" --end-stale

is_late() {
	[ -n "${GRTRACE_TEST_MINUTES:-}" ] && [ "$((SECONDS - started))" -ge "$((GRTRACE_TEST_MINUTES * 60))" ]
}

# skip NAME: as a test that was skipped.
skip() {
	printf '1..1\nok 1 %s # SKIP %s minutes are over: make test PARTS=%s\n' \
		"$1" "$GRTRACE_TEST_MINUTES" "$1" | tee "$out/$1.log"
	printf '0 0\n' >"$out/$1.status"
}

# run NAME: the part's output to its log, its status and seconds beside it.
run() {
	local from="$SECONDS" status=0
	( set -euo pipefail; "part_$1" ) >"$out/$1.log" 2>&1 || status=$?
	printf '%s %s\n' "$status" "$((SECONDS - from))" >"$out/$1.status"
}

# count NAME HOW: "<passed> <failed> <skipped>" of a part that ended.
count() {
	local status passed=0 failed=0 skipped=0
	read -r status _ <"$out/$1.status"
	case "$2" in
	check) passed=1 ;;
	*) read -r passed failed skipped < <("${2}_count" "$out/$1.log") ;;
	esac
	if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
		failed=1
		[ "$2" != check ] || passed=0
	fi
	# Nothing ran, and nothing said why.
	if [ "$((passed + failed + skipped))" = 0 ]; then
		failed=1
	fi
	printf '%s %s %s\n' "$passed" "$failed" "$skipped"
}

# show_failure NAME: which tests, and how the log ends.
show_failure() {
	local log="$out/$1.log"
	tap_failures "$log" | sed -n '1,60s/^/    | /p'
	echo "    the log's end:"
	tail -n 40 "$log" | sed 's/^/    | /'
}

sum_passed=0 sum_failed=0 sum_skipped=0
summary=() failed_parts=()
finish() {
	local name="$1" seconds passed failed skipped line
	read -r _ seconds <"$out/$name.status"
	read -r passed failed skipped < <(count "$name" "$2")
	line="$(printf '%-24s %4s passed, %s failed, %s skipped  (%s s)' "$name" "$passed" "$failed" "$skipped" "$seconds")"
	summary+=("$line")
	printf '    %s\n' "$line"
	if [ "$failed" != 0 ]; then
		show_failure "$name"
		failed_parts+=("$name")
	fi
	sum_passed=$((sum_passed + passed))
	sum_failed=$((sum_failed + failed))
	sum_skipped=$((sum_skipped + skipped))
}

# A part in the background is a process group of its own: it ends as a whole.
background=()
end_background() {
	local part
	for part in "${background[@]}"; do
		kill -- "-${part##*:}" 2>/dev/null || true
	done
}
trap end_background EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for part in "${chosen[@]}"; do
	IFS=: read -r name how where <<<"$part"
	if is_late; then
		skip "$name"
		finish "$name" tap
	elif [ "$where" = background ]; then
		printf '=== %s (%s s so far), beside what follows\n' "$name" "$((SECONDS - started))"
		set -m
		run "$name" &
		set +m
		background+=("$name:$how:$!")
	else
		printf '=== %s (%s s so far)\n' "$name" "$((SECONDS - started))"
		run "$name"
		finish "$name" "$how"
	fi
done
for part in "${background[@]}"; do
	IFS=: read -r name how pid <<<"$part"
	printf '=== %s, the end of it (%s s so far)\n' "$name" "$((SECONDS - started))"
	wait "$pid"
	finish "$name" "$how"
done

printf '\n=== all parts, %s s; logs in %s\n' "$((SECONDS - started))" "${out#"$PWD"/}"
printf '    %s\n' "${summary[@]}"
# Again, as who sees only the end of a long log wants to know just this.
for name in "${failed_parts[@]}"; do
	printf '%s failed:\n' "$name"
	said="$(tap_failures "$out/$name.log" | tail -n 16)"
	if grep -q 'reported a bug, see its log' "$out/$name.log"; then
		said+="${said:+$'\n'}$(splat_print "$out/$name.log" | sed -n 1,30p)"
	fi
	printf '%s\n' "${said:-$(tail -n 5 "$out/$name.log")}" | sed 's/^/    | /'
done
printf '%s passed, %s failed, %s skipped\n' "$sum_passed" "$sum_failed" "$sum_skipped"
[ "$sum_failed" = 0 ] && [ "$((sum_passed + sum_skipped))" -gt 0 ]
