#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Cases: traces of others, and what is printed about them.
exec python3 -B "$(dirname "$0")/../cases.py" --build "$O"
