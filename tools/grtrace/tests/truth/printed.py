# SPDX-License-Identifier: GPL-2.0
"""The text of grtrace report, cut into its tables. Knows no figure."""

import re


def blocks(text):
    """Heading: the lines below it, for each part between two empty lines."""
    found = {}
    for block in re.split(r"\n\n+", text.strip("\n")):
        heading, *lines = block.split("\n")
        if heading.startswith("Labels:"):
            heading, lines = "the end", block.split("\n")
        found.setdefault(" ".join(heading.split()), []).extend(lines)
    return found


def group_table(tables, first_word):
    """The lines of the table whose heading begins so."""
    for heading, lines in tables.items():
        if heading.startswith(first_word + " ") and heading.endswith("TOTAL max"):
            return lines
    return []


def starting(tables, words, more=""):
    """Heading and lines of the first table whose heading begins so, and has these words."""
    for heading, lines in tables.items():
        if heading.startswith(words) and more in heading:
            return heading, lines
    return None, []
