# SPDX-License-Identifier: GPL-2.0
"""Compares the event rows of the tools with those of the second reader."""

COLUMNS = ("cpu", "gseq", "cseq", "ts", "type", "letter", "pid", "tgid", "comm", "ctx", "seqno",
           "ring", "ring_name", "dev", "engine", "fence_ctx", "fence_seqno", "kind", "code", "arg",
           "flags", "time_source", "weight", "events", "notes", "first_ts", "last_ts", "limited",
           "pressure", "time", "where", "kind_name", "sample", "previous", "driver", "duration",
           "result", "handles", "cgroup", "minor", "cmd", "client", "priority", "command", "state",
           "reason", "timeline", "guilty_pid", "guilty_comm", "error_text")


def word(value):
    if value is None:
        return "NA"
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


# Names from other records.
NAMES = ("tgid", "comm", "ring_name", "dev", "engine", "driver")


def check_bytes(reader, told, judgement):
    """Compares the reader with the rows of export --to csv --rows events. The order, and the places where names
    are known, say nothing where numbers are damaged."""
    right = {}
    for row in reader.in_order():
        right.setdefault((word(row["cpu"]), word(row["cseq"]), row["type"] == "lost"), []).append(row)
    for row in told:
        key = (row["cpu"], row["cseq"], row["type"] == "lost")
        same = right.get(key)
        if not same:
            judgement.differ(f"event cpu {key[0]} cseq {key[1]}", "no row", short(row))
            continue
        # If two have the same number, the better fit.
        wrongs = [wrong_columns(wanted, row, reader) for wanted in same]
        best = min(range(len(same)), key=lambda at: len(wrongs[at]))
        wrong = wrongs[best]
        same.pop(best)
        judgement.figures += len(COLUMNS)
        if wrong:
            judgement.differ(f"event cpu {key[0]} cseq {key[1]} {row['type']}",
                             {name: pair[0] for name, pair in wrong.items()},
                             {name: pair[1] for name, pair in wrong.items()})
    for key, rows in right.items():
        for row in rows:
            judgement.differ(f"event cpu {key[0]} cseq {key[1]}",
                             {name: word(row[name]) for name in row}, "no row")
    numbers = [int(row["gseq"]) for row in told if row["gseq"] != "NA"]
    if not reader.is_damaged:
        judgement.same("events in the order of gseq", True, numbers == sorted(numbers))


def wrong_columns(wanted, row, reader):
    """Name: both values, of the columns that differ."""
    columns = COLUMNS + ("text",) if row["type"] == "message" else COLUMNS
    wrong = {}
    for name in columns:
        if reader.is_damaged and (name in NAMES or name == "time" and reader.info is None) or \
                name == "ring" and row["type"].isdigit():
            continue
        value = word(wanted.get(name))
        if value != row[name]:
            wrong[name] = (value, row[name])
    return wrong


def short(row):
    return {name: value for name, value in row.items() if value not in ("NA", "", None)}
