#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests that the checks of the pages find mistakes and accept correct pages.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
cd "$work" || exit 1
shows "$work/out"

# lines FILE N...: are findings in these lines, and in no others?
lines() {
	python3 -B "$here/check/english.py" "$work/$1" >out
	[ "$(cut -d: -f2 out | sort -nu | paste -sd " ")" = "${*:2}" ]
}

cat >bad.rst <<'END'
What is here
============

What is recorded is in no table. The kernel
tells it, and nobody
else: that is no problem.

- Of a job all is known.
- It stands below, but for the
  first.
- Which of them is unknown.
- It fails, as there is none.
- It goes on after so many.
- It is added, if need be.
END
lines bad.rst 4 8 9 11 12 13 14
result $? what_has_to_be_read_twice_is_found

cat >good.rst <<'END'
What is it?
===========

What does it cost? Which is it? There is no lock, and it is no longer slow, as its name says. ``nobody`` is a column::

	What nobody tells stands here.

`Nobody tells <x>`_ is code, and so is::

	but for this
END
lines good.rst
result $? code_titles_and_questions_are_not

cat >bad.py <<'END'
"""Tells what is there."""
code = 1  # nobody knows it


class Table:
    """What a row has."""

    def row(self):
        """Of a row: its text.

        It goes on."""
        text = """not a docstring: nobody
"""
        return text  # plain
END
lines bad.py 1 2 6 9 && cat >bad.cpp <<'END'
// Told to nobody.
int tells;
int count; // of those that are told
/* All is plain. */
int other; // plain
END
lines bad.cpp 1 3
result $? docstrings_and_comments_behind_code_are_read

! python3 -B "$here/check/pages.py" --without 'grtrace is not loaded' >out && grep -q 'no program says "grtrace is not loaded' out
result $? a_message_that_no_program_has_is_found

# without FROM TO WANTED: the table of requirements with another text, and the message about it.
without() {
	sed "s|$1|$2|" "$here/../../Documentation/gpu/grtrace/seeds.csv" >seeds.csv
	! python3 -B "$here/check/seeds.py" "$work/seeds.csv" >out && grep -q "$3" out
}
python3 -B "$here/check/seeds.py" >out
result $? each_requirement_has_its_place_and_its_test
without control_test.c:idle control_test.c:idol 'there is no test control_test.c:idol' &&
	without kunit:sched_tells kunit:sched_sells 'no test kunit:sched_sells' &&
	without monitor_test.sh:sched_lines monitor_test.sh:wait_until 'no test monitor_test.sh:wait_until' &&
	without 'report.t:--topn' 'report.t:--topnn' 'no test report.t:--topnn'
result $? a_test_that_is_not_there_or_not_run_is_found
without bytes_dropped bytes_dropt 'does not have "bytes_dropt"'
result $? a_place_that_is_not_there_is_found
without ',works,' ',missing,' 'are missing, at most'
result $? one_more_that_is_missing_is_found
without pages_wanted pages_want 'no column pages_want'
result $? a_column_that_is_not_there_is_found
plan
