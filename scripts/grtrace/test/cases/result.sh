# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Prints the results of the tests here.

number=0 failed=0
said=()

# shows FILE...: what a failed test shows the end of.
shows() { said=("$@"); }

# result STATUS NAME
result() {
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		tail -q -n 40 "${said[@]}" /dev/null 2>/dev/null | sed 's/^/# /' || true
		echo "not ok $number - $2"
		failed=1
	fi
}

# skip NAME REASON
skip() { result 0 "$1 # SKIP $2"; }

# equal NAME WANTED GOT
equal() {
	local status=0
	[ "$2" = "$3" ] || status=1
	[ $status = 0 ] || echo "# wanted $2, got $3"
	result $status "$1"
}

plan() {
	echo "1..$number"
	exit "$failed"
}
