#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What is not there: that it is counted, and where it stands.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
captures=$here/../captures

# A loss has its own time, on a CPU that was quiet before it, too.
quiet=$captures/lost_quiet_cpu
for order in x clock; do
	check "$order: a loss touches no job that was over" 0 \
		'^Touched by loss: 0 jobs' "$grtrace" report -D "$quiet" $order
	check "$order: the ring is not known from then on" 0 \
		'^0000:01:00\.0 gfx .* 200\.000 us \*$' \
		"$grtrace" report --busy -D "$quiet" $order
	check "$order: LOST stands between its neighbours" 0 '' \
		"$grparse" -q -f '%a %S\n' -D "$quiet" $order
	grep -A 1 '^C 2' out | grep -q '^mL '
	result $? "$order: behind the event before it"
done
check "of two captures as well" 0 '' \
	"$grparse" -q -f '%a %S %T\n' -D "$quiet" x clock
[ "$(grep -c '^mL ' out)" = 2 ] && ! sed '/^C 2 /q' out | grep -q '^mL '
result $? "and only behind what is older in both"

finish
