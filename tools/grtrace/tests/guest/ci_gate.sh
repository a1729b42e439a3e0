#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# as root; the base was recorded on the same machine by the same script
set -eu
grtrace record --strict -o new -- ./benchmark
grtrace verify new
status=0
grtrace diff --strict --json \
	--fail-if 'p50:Q2C>+5%' --fail-if 'mean:B2E>+20us' base new >diff.json || status=$?
case $status in
0) echo passed ;;
4) echo slower; exit 1 ;;
5) echo "too few jobs: record longer"; exit 1 ;;
*) echo "could not compare"; exit 1 ;;
esac
