#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Damaged inputs, to all commands; "make mutated" tries more of them.
exec python3 -B "$(dirname "$0")/../mutated.py" --build "$O" --runs 300
