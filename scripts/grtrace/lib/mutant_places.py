# SPDX-License-Identifier: GPL-2.0
"""Where a source of C or C++ can be changed by one operator, constant or condition, for
mutants.py: a place is (FILE, LINE from 0, COLUMN, OLD, NEW).
"""

import re

# A binary operator has blanks around it, unlike the brackets of templates, pointers and
# references.
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "%": "*",
    "&": "|", "|": "&", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=",
}
LONGEST_FIRST = sorted(map(re.escape, OPERATORS), key=len, reverse=True)
BINARY = re.compile(r"(?<= )(" + "|".join(LONGEST_FIRST) + r")(?= |$)")
NOT = re.compile(r"(?<![\w)\]])!(?=[\w(*])")
WORD = re.compile(r"(?<![\w.])(true|false)(?!\w)")
NUMBER = re.compile(r"(?<![\w.'\[\"])(0x[0-9a-fA-F]+|0|[1-9]\d*)(?=[uUlL]*(?![\w.'\"]))")
RETURN = re.compile(r"\breturn (?!\{\}|0;|false;|true;|[A-Z]\w*\(\);)([^;{]+);")
CONDITION = re.compile(r"\b(if|while) \(")
# Not what a program does: declarations of what there is, and what is known before it runs.
NO_CODE = re.compile(r"^\s*(#|template\b|using\b|namespace\b|static_assert|BUILD_BUG_ON|"
                     r"MODULE_|EXPORT_SYMBOL)")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])\'',
                      flags=re.S)


def blanked(text):
    """text with blanks for comments, strings and characters, line for line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return NOT_CODE.sub(blank, text)


def closing(line, at):
    """Where the bracket at "at" closes, or None."""
    depth = 0
    for i in range(at, len(line)):
        depth += {"(": 1, ")": -1}.get(line[i], 0)
        if depth == 0:
            return i
    return None


def changes_of(line, source, nothing):
    """Where a line, without its strings and comments, can be changed, from what, to what."""
    for match in BINARY.finditer(line):
        yield match.start(), match.group(), OPERATORS[match.group()]
    for match in NOT.finditer(line):
        yield match.start(), "!", ""
    for match in WORD.finditer(line):
        yield match.start(), match.group(), "false" if match.group() == "true" else "true"
    for match in NUMBER.finditer(line):
        number = int(match.group(), 0)
        yield match.start(), match.group(), str(0 if number == 1 else number + 1)
    for match in RETURN.finditer(line):
        yield match.start(1), source[match.start(1):match.end(1)], nothing
    for match in CONDITION.finditer(line):
        begin = match.end() - 1
        end = closing(line, begin)
        if end:
            inside = source[begin + 1:end]
            yield begin + 1, inside, f"!({inside})"


def places_of(file):
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    sources = text.split("\n")
    going_on = False		# a macro of several lines
    for number, line in enumerate(blanked(text).split("\n")):
        skipped = going_on or NO_CODE.match(line)
        going_on = bool(skipped) and sources[number].endswith("\\")
        if not skipped:
            # In C++ a value of nearly all types, which "0" is not.
            for at, old, new in changes_of(line, sources[number], "{}" if file.endswith(".cpp") else "0"):
                yield file, number, at, old, new


def named(place, only):
    """Whether "only" has it, as FILE:LINE or as it is printed, FILE:LINE: CHANGE."""
    file, number, _, old, new = place
    where = f"{file}:{number + 1}"
    return where in only or f"{where}: {shown(old, new)}" in only


def shown(old, new):
    if new == f"!({old})":
        return f"({old}) is turned round"
    return f"{old} -> {new or 'nothing'}"


def changed(text, number, at, old, new):
    lines = text.split("\n")
    assert lines[number][at:].startswith(old)
    lines[number] = lines[number][:at] + new + lines[number][at + len(old):]
    return "\n".join(lines)
