# SPDX-License-Identifier: GPL-2.0
"""Figures as the tools print them, beside what they have to be.

The name of a column says how it is printed: "BUSY:ns" is a time, "p99:p" a percentile
that may be 3 % high, "SHARE:f1" a number with one digit behind the point, "N:n" one with
commas. A value without such an ending is printed as it is.
"""

import re

UNITS = (("ns", 1), ("us", 10**3), ("ms", 10**6), ("s", 10**9))
# 32 buckets to the octave: what is printed is the greatest value of a bucket.
HIGH = 1 + 1 / 32
# A time: number and unit.
TIME = re.compile(r"(\d+(?:\.\d+)?) (ns|us|ms|s)\b")


def time_text(ns):
    """A time in the greatest unit that leaves a number of 1 or more."""
    if ns is None:
        return "NA"
    unit, scale = [pair for pair in UNITS if abs(ns) >= pair[1]][-1] if ns else UNITS[0]
    return f"{ns:.0f} ns" if unit == "ns" else f"{ns / scale:.3f} {unit}"


class Cell:
    """The value that one figure has to have."""

    def __init__(self, name, value):
        self.name, _, self.kind = name.partition(":")
        self.value = value

    def text(self):
        if self.value is None:
            return "NA"
        if self.value == "":
            return ""
        if self.kind in ("ns", "p"):
            return time_text(self.value)
        if self.kind.startswith("f"):
            return f"{self.value:.{self.kind[1]}f}"
        if self.kind == "n":
            return f"{self.value:,}"
        return str(self.value)

    def take(self, line):
        """The rest of the line behind this figure; None if it is not there."""
        line = line.lstrip()
        wanted = self.text()
        if self.kind in ("ns", "p") and isinstance(self.value, (int, float)):
            found = TIME.match(line)
            return line[found.end():] if found and self.is_time(*found.groups()) else None
        if self.kind.startswith("f") and self.value not in (None, ""):
            found = re.match(r"-?[0-9.]+", line)
            half = 0.5 * 10**-int(self.kind[1]) + 1e-9
            right = found and abs(float(found[0]) - self.value) <= half
            return line[found.end():] if right else None
        wanted = " ".join(wanted.split())
        if not line.startswith(wanted):
            return None
        return line[len(wanted):]

    def is_time(self, number, unit):
        scale = dict(UNITS)[unit]
        digits = len(number.partition(".")[2])
        half = 0.5 * scale / 10**digits + 1e-6
        told = float(number) * scale
        high = HIGH if self.kind == "p" else 1
        # A unit is too small where the number could do with the next one.
        fits = unit == "s" or float(number) <= 1000
        return fits and (unit == "ns" or float(number) >= 1) and (
            self.value - half <= told <= self.value * high + half)


def cells(row, *leave_out):
    """The cells of a row of SQL."""
    return [Cell(name, value) for name, value in row.items() if name not in leave_out]


def is_line(wanted, line):
    """Whether a printed line has these cells and nothing else."""
    line = " ".join(line.split())
    for cell in wanted:
        line = cell.take(line)
        if line is None or line and cell.text() and line[0] not in " %":
            return False
    return not line.strip()


def line_of(wanted):
    return "  ".join(cell.text() for cell in wanted if cell.text())
