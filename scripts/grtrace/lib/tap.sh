# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The results in a log, for scripts: see tap.py.

# use.sh has set it:
# shellcheck disable=SC2154
tap() { python3 -B "$here/lib/tap.py" "$@"; }
tap_judge() { tap judge "$1" ${TAP_SKIPS:+"$TAP_SKIPS"}; }
tap_count() { tap tap "$1"; }
gtest_count() { tap gtest "$1"; }
tap_failures() { tap failures "$1"; }
