#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests the patched kernel's command line in guests: a session that is older than
# the first program, in which i915, built in, runs its mock selftests; parameters
# that are refused; and a kernel that is locked down. Prints TAP.
#
# Usage: intree_test.sh [BASE]
#
#   BASE  7.3 (default)
#
# Exit status: 0 when something ran and nothing failed, else 1; 2 wrong usage.
. "$(dirname "$0")/../lib/use.sh" work base tap

options '' "$@"
[ $# -le 1 ] || usage_error "needs one base at most"
base="$(base_name "${1:-7.3}")"

"$here/deps.sh" build
tools="$("$here/tools.sh")"
image="$("$here/kernel/intree.sh" "$base")"

# As large as all that the selftests of i915 make, if necessary on one CPU: it is not
# read until they end.  Some run for a fixed time, so that a faster
# machine makes more: two million records on two cores of 2026, 64 MiB.
config=(level=verbose subbuf_size=1048576 n_subbufs=128)

# guest PARAMETERS CMD: a shell command in a guest, which leaves files in "out".
guest() {
	"$here/guest/vm.sh" --timeout 400 --share "$work" --append "kunit.autorun=0 $1" "$image" -- sh -c "$2" ||
		echo "not ok 0 the guest: exit status $?"
}

# renumber: one TAP stream of several.
renumber() {
	awk '/^1\.\.[0-9]+|^TAP version/ { next }
		/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++number) }
		{ print }
		END { print "1.." number + 0 }'
}

echo "TAP version 13"
{
	guest "grtrace.start=1 grtrace.config=\"${config[*]}\" i915.mock_selftests=-1" \
		"sh $here/guest/boot_session.sh running ${config[*]}; boot=\$?
		 sh $here/guest/i915_mock.sh $work && exit \$boot"
	status=0
	PATH="$tools:$PATH" python3 -B "$here/test/i915_mock.py" "$work" || status=$?
	[ "$status" -le 1 ] || echo "not ok 0 i915_mock.py: exit status $status"
	guest 'grtrace.start=1 grtrace.config="level=verbose colour=red"' \
		"sh $here/guest/boot_session.sh refused"
	for how in integrity confidentiality; do
		guest "grtrace.start=1 lockdown=$how" "sh $here/guest/boot_session.sh locked"
	done
} | renumber | tee "$work/tap"
read -r passed failed _ < <(tap_count "$work/tap")
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
