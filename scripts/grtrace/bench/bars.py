#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
The line of a bar: what was measured, and whether that is within its limit.

Usage: bars.py NAME VALUE UNIT LIMIT [least]

  least   the value is to be as large as the limit, not as small
"""
import math
import sys


def line(name, value, unit, limit, least=False):
    """A value that was not measured has no verdict: it is an error."""
    number, bound = float(value), float(limit)
    if not math.isfinite(number):
        raise ValueError(f"{name}: {value}")
    return f"BAR {name} {value} {unit} {limit} {'ok' if (number >= bound if least else number <= bound) else 'short'}"


if __name__ == "__main__":
    try:
        print(line(*sys.argv[1:5], least=sys.argv[5:] == ["least"]))
    except (TypeError, ValueError):
        sys.exit(f"bars.py: no bar can be made of: {' '.join(map(repr, sys.argv[1:]))}")
