# SPDX-License-Identifier: GPL-2.0
"""Numbers as the tools print them, and how far they may be off."""

import math

UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
DURATION = r"([0-9.]+ (?:ns|us|ms|s)|NA) *"
COUNT = r"([0-9,]+)"


class Mistakes(list):
    """What was printed and is not so."""

    def check(self, what, printed, right):
        if printed != right:
            self.append(f"{what}: printed {printed}, right is {right}")

    def duration(self, what, printed, right, slack=0):
        """A time of `right` ns, at most slack (a part of it) higher; None
        is NA. AVG is cut to whole ns, all are rounded to three digits."""
        if printed == "NA" or right is None:
            if printed != "NA" or right is not None:
                self.append(f"{what}: printed {printed}, right is {right}")
            return
        number, unit = printed.split()
        digits = len(number.partition(".")[2])
        ulp = UNITS[unit] / 10**digits
        told = float(number) * UNITS[unit]
        if not (right - 1 - ulp / 2 <= told <=
                right * (1 + slack) + ulp / 2 + 1e-6 * ulp):
            self.append(f"{what}: printed {printed}, right is {right} ns")
        # 1000.000 us stands for what rounds up to it.
        if unit != "ns" and not 1 <= float(number) <= 1000:
            self.append(f"{what}: {printed} has the wrong unit")


def count(text):
    return int(text.replace(",", ""))


def percentile(pairs, permille):
    """Of (value, weight): the least that so many of 1000 do not exceed."""
    wanted = math.ceil(sum(weight for _, weight in pairs) * permille / 1000)
    seen = 0
    for value, weight in sorted(pairs):
        seen += weight
        if seen >= max(wanted, 1):
            return value
    return None
