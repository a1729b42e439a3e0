#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the modules as kernel people do it, in a copy because that is among the sources.
. "$(dirname "$0")/../lib/use.sh" work

cd "$checkout"
find drivers/gpu/grtrace include -name '*.[ch]' -o -name Makefile -o -name Kconfig | cpio -pdm --quiet "$work"
cd "$work"
make -C "$("$here/kernel/kernel.sh" 6.12 headers)" M="$PWD/drivers/gpu/grtrace" 2>&1 | tee log
! grep -qiE '(^|[^[:alpha:]])warning:' log && [ -e drivers/gpu/grtrace/grtrace.ko ]
