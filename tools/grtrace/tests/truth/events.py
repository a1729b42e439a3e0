# SPDX-License-Identifier: GPL-2.0
"""The events of a capture as `grparse --csv` tells them."""

import csv
import subprocess

NUMBERS = ("cpu gseq cseq ts pid tgid ctx seqno ring fence_ctx fence_seqno "
           "kind code arg flags weight events notes first_ts last_ts limited "
           "pressure time sample previous").split()


class Event:
    """One line: a field for each column, None for NA."""

    def __init__(self, at, names, cells):
        self.at = at  # its place in the order of the capture
        for name, cell in zip(names, cells):
            if cell == "NA":
                cell = None
            elif name in NUMBERS:
                cell = int(cell)
            setattr(self, name, cell)

    @property
    def is_event(self):
        return self.weight is not None


def read_events(grparse, capture):
    lines = subprocess.run([grparse, "-q", "--csv", "-i", capture],
                           check=True, capture_output=True,
                           encoding="latin1").stdout
    rows = csv.reader(lines.splitlines())
    names = next(rows)
    return [Event(at, names, cells) for at, cells in enumerate(rows)]
