# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Prints results of tests as TAP, for scripts and, in plain sh, for what runs in a guest.
# Sets "work", a folder that goes when the script ends.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
number=0 failed=0 shown="$work/said"

# shows FILE...: what a failed test shows the end of.
shows() { shown="$*"; }

# result STATUS NAME
result() {
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
		return
	fi
	# shellcheck disable=SC2086
	tail -q -n 40 $shown 2>/dev/null | sed 's/^/# /' || true
	echo "not ok $number - $2"
	failed=1
}

# holds NAME COMMAND...: what it prints is shown if it fails; its bars always, and
# a short one is a failure.
holds() {
	holds_name="$1" holds_status=0 shown="$work/said"; shift
	"$@" >"$work/said" 2>&1 || holds_status=$?
	sed -n 's/^BAR/# &/p' "$work/said"
	! grep -q '^BAR .* short$' "$work/said" || holds_status=1
	result "$holds_status" "$holds_name"
}

# skip NAME REASON
skip() { result 0 "$1 # SKIP $2"; }

# equal NAME WANTED GOT
equal() {
	equal_status=0
	[ "$2" = "$3" ] || equal_status=1
	[ "$equal_status" = 0 ] || echo "# wanted $2, got $3"
	result "$equal_status" "$1"
}

plan() {
	echo "1..$number"
	exit "$failed"
}
