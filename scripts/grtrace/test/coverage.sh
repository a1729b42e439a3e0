#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Prints the lines of the core that no test executes: neither KUnit nor the kselftests in C,
# in a User Mode Linux that counts. By default only those that return -ENOMEM: each of them
# has to be executed.
#
# Usage: coverage.sh [EXPRESSION]
#
#   EXPRESSION  only lines that match it (default: 'return .*-ENOMEM'; '' for all)
#
# Exit status: 0 when there is none, 1 when there are some; 2 wrong usage, or when no line of
# the core was counted.

shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" work cache series overlay
options '' "$@"
[ ${#args[@]} -lt 2 ] || usage_error "takes one expression"
wanted="${args[0]-return .*-ENOMEM}"
tests=(control_test config_test channel_test forms_test views_test snapshot_test sampling_test filter_test watch_test
	limit_test rules_test fault_load_test fault_test)
cd "$checkout"
kernel="$("$here/uml/uml.sh" --coverage --build)"
mkdir -p "$work/selftests/grtrace" "$work/share"
ln -s "$(overlay_source 7.3)"/tools/testing/selftests/*.h "$work/selftests/"
cp -r tools/testing/selftests/grtrace/{*.[ch],defaults,modules,modules.sh} "$work/selftests/grtrace/"
for name in "${tests[@]}"; do
	gcc -O2 -pthread -w -D_GNU_SOURCE= -isystem include/uapi -o "$work/selftests/grtrace/$name" \
		"$work/selftests/grtrace/$name.c"
done
# Failures are the business of uml.sh in this folder: here only what was executed matters.
# shellcheck disable=SC2016
"$here/uml/uml.sh" --kernel "$kernel" --share "$work/share" --timeout 1500 -- sh -c '
	cd "$2" && . ./modules.sh && modules_load || exit
	sh "$1/uml/kunit.sh" "grtrace*"
	cd "$2" && shift 2
	for name; do "./$name"; done
	find /sys/kernel/debug/gcov -name "*.gcda" | while read -r file; do
		cat "$file" >"$GRTRACE_OUT/${file##*/}"
	done' sh "$here" "$work/selftests/grtrace" "${tests[@]}" >"$work/log"
[ -n "$(ls "$work/share")" ] || die "nothing was counted"
cp "$kernel.modules"/*.gcno "$work/share/"
cd "$work"
status=0
gcov -t -o "$work/share" "$work"/share/*.gcda 2>"$work/said" | awk -v wanted="$wanted" '
	/^ *-: +0:Source:/ { core = sub(/.*\/src\//, "") && /^drivers\/gpu\/grtrace\/[^\/]*\.c$/; file = $0 }
	core && /^ *([0-9]+\*?|#####):/ { counted = 1 }
	/^ *#####:/ && core && $0 ~ wanted { sub(/^ *#####: */, ""); print file ":" $0; found = 1 }
	END { exit counted ? found : 2 }' || status=$?
[ "$status" -lt 2 ] || { tail -n 5 "$work/said" >&2; echo "coverage.sh: gcov printed no line of the core, or failed" >&2; exit 2; }
exit "$status"
