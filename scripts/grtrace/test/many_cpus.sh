#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Records on 66 CPUs, one of which is offline: there are more CPUs than bits in a word,
# and their numbers have a hole.  Prints TAP.
#
# Usage: many_cpus.sh [BASE]
#
#   BASE  a kernel as it is distributed (6.12)
. "$(dirname "$0")/../lib/use.sh" work
options '' "$@"

tools="$("$here/tools.sh")"
"$here/guest/vm.sh" --cpus 66 --modules --share "$work" --timeout 900 "${1:-6.12}" -- \
	sh "$here/guest/many_cpus.sh" "$checkout" "$tools"
