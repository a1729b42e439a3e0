#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the tests of what was changed since it passed: quick.py, and what all of them need.
exec </dev/null
. "$(dirname "$0")/../lib/use.sh" report
"$here/deps.sh" build test
exec python3 -B "$here/test/quick.py" "$@"
