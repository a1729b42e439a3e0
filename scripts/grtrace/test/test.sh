#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the tests: parts.py, and Python where it is missing.
exec </dev/null			# closed, it would be the next file's number
. "$(dirname "$0")/../lib/use.sh" report
command -v python3 >/dev/null || "$here/deps.sh" test
exec python3 -B "$here/test/parts.py" "$@"
