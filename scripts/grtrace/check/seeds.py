#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Checks the table of what was asked of grtrace, Documentation/gpu/grtrace/seeds.csv: each
place exists, each test exists and is run by a part of test.sh, each column of a monitor is
in its source; and that the kselftests exist that lifetimes.rst names.  Prints how many
requirements work, are different and better, are missing or come later, and how many columns
of monitors are there.

The columns of the table:

  nr, seed   number, and the document with its line
  asked      the requirement
  state      works, better (different: why), missing (why), later (with v1.0)
  where      files, by the end of their path, as FILE:TEXT with a text that they have
  test       FILE:CASE of a kselftest, a guest's test or a CLI test (a part of the title of a
             check), unit:SUITE.CASE, kunit:CASE, check:NAME of check.sh, part:NAME of test.sh
  why        what is different, missing or later
  columns    a monitor's, as it prints them: "-NAME" is missing, NAME@BASE is NA there, as that
             kernel's events have no such field

The number of missing ones may not exceed MOST_MISSING.

Exit status: 0 all exist, 1 something does not; 2 wrong usage.
"""
import collections
import csv
import functools
import os
import re
import sys

import pages
from pages import complain, read

TABLE = 'Documentation/gpu/grtrace/seeds.csv'
LIFETIMES = 'Documentation/gpu/grtrace/lifetimes.rst'
HEADER = ['nr', 'seed', 'asked', 'state', 'where', 'test', 'why', 'columns']
STATES = ('works', 'better', 'missing', 'later')
# The requirements; only fewer may be missing.
ROWS = 345
MOST_MISSING = 0
COLUMNS = 111
KSELFTESTS = 'tools/testing/selftests/grtrace/'
GUEST = 'tools/grtrace/tests/guest/'
KUNIT = 'drivers/gpu/grtrace/tests/'
# Columns that all monitors have.
EVERY_LINE = {'time', 'cpu', 'event', 'pid', 'comm'}


@functools.cache
def files():
    known = set()
    for folder, inner, names in os.walk('.'):
        inner[:] = [name for name in inner if name not in ('.git', 'out', '__pycache__', 'coccinelle')]
        known.update(os.path.join(folder, name)[2:] for name in names)
    return known


@functools.cache
def find(end):
    """The files whose paths end so; there has to be one."""
    return [end] if end in files() else [path for path in files() if path.endswith('/' + end)]


def check_place(row, place):
    end, _, text = place.partition(':')
    found = find(end)
    if len(found) != 1:
        complain(f'{row}: {end}: {"there is no such file" if not found else "several files: " + " ".join(found)}')
    elif text and text not in read(found[0]):
        complain(f'{row}: {found[0]} does not have "{text}"')


@functools.cache
def built(makefile):
    """The words in the Makefile of tests."""
    return set(re.sub(r'\\\n', ' ', read(makefile)).split())


def in_c(name, case):
    path = KSELFTESTS + name
    return (os.path.exists(path) and name[:-2] in built(KSELFTESTS + 'Makefile') and
            re.search(r'^(?:TEST\w*|FIXTURE_VARIANT_ADD)\(([\w ]+, )?' + re.escape(case) + r'(, \w+)?\)', read(path), re.M))


def in_guest(name, case):
    folder = KSELFTESTS if os.path.exists(KSELFTESTS + name) else GUEST
    if not os.path.exists(folder + name) or name not in built(folder + 'Makefile'):
        return False
    text = read(folder + name).replace('\\\n', ' ')
    runs = ' '.join(re.findall(r'^\s*set -- .*', text, re.M)) + text[text.rfind('run_tests'):]
    return (re.search(r'^' + re.escape(case) + r'\(\)', text, re.M) and
            re.search(r'\b' + re.escape(case) + r'\b', runs))


def in_cli(name, case):
    path = 'tools/grtrace/tests/cli/' + name
    return os.path.exists(path) and any(
        case in title for line in re.findall(r'^(?!\s*#).+', read(path), re.M)
        for title in re.findall(r'"[^"]+"|\'[^\']+\'', line))


@functools.cache
def unit_cases():
    return {f'{suite}.{case}' for path in files() if re.search(r'tests/unit/.*_test\.cpp$', path)
            for suite, case in re.findall(r'^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)', read(path), re.M)}


@functools.cache
def kunit_cases():
    return {case for path in files() if path.startswith(KUNIT)
            for case in re.findall(r'KUNIT_CASE(?:_PARAM|_SLOW)?\((\w+)', read(path))}


@functools.cache
def checks():
    return set(re.search(r'^checks=\(([^)]*)\)', read('scripts/grtrace/check/check.sh'), re.M)[1].split())


@functools.cache
def parts():
    return set(re.findall(r'^[a-z]+ (\S+) +(?:check|tap|gtest) ', read('scripts/grtrace/test/parts'), re.M))


def exists(test):
    name, _, case = test.partition(':')
    known = {'unit': unit_cases, 'kunit': kunit_cases, 'check': checks, 'part': parts}
    if name in known:
        return case in known[name]()
    if name.endswith('.c'):
        return in_c(name, case)
    if name.endswith('.sh'):
        return in_guest(name, case)
    return in_cli(name, case)


def tests_of(text):
    """Separated by blanks, which a title of a check may have as well."""
    return re.split(r' (?=[\w.]+:\S)', text) if text else []


def check_row(row, line):
    state = line['state']
    if state not in STATES:
        complain(f'{row}: {state} is none of {", ".join(STATES)}')
    if state != 'works' and not line['why']:
        complain(f'{row}: {state}, and no reason')
    if not line['where'] or not line['test'] and state in ('works', 'better'):
        complain(f'{row}: {state}, without a place or a test')
    for place in line['where'].split():
        check_place(row, place)
    for test in tests_of(line['test']):
        if not exists(test):
            complain(f'{row}: there is no test {test}, or nothing runs it')


def check_lifetimes():
    """``PROGRAM CASE``, where the names that follow in the same line are cases of the same program."""
    programs = set().union(*map(built, (KSELFTESTS + 'Makefile', KSELFTESTS + 'destructive/Makefile', GUEST + 'Makefile')))
    for line in re.findall(r'^\S.*``.*', read(LIFETIMES), re.M):
        program = ''
        for names in re.findall(r'``([^`]+)``', line):
            first, _, case = names.rpartition(' ')
            if case.removesuffix('.sh').endswith('_test'):
                first, case = case, ''
            program = first or program
            name = program.removeprefix('destructive/')
            if name not in programs or case and not exists(f'{name if name.endswith(".sh") else name + ".c"}:{case}'):
                complain(f'{LIFETIMES}: there is no test {program} {case}')


def count_columns(row, line, sums):
    if not line['columns']:
        return
    source = ''.join(read(find(place.split(':')[0])[0]) for place in line['where'].split())
    for word in line['columns'].split():
        name, _, base = word.lstrip('-').partition('@')
        sums['asked'] += 1
        if word.startswith('-'):
            continue
        sums['there'] += 1
        sums['NA'] += bool(base)
        if name not in EVERY_LINE and not re.search(rf'"{re.escape(name)}"', source + read(find('process_table.cpp')[0])):
            complain(f'{row}: {line["where"]} has no column {name}')


def check_table(path):
    states = collections.Counter()
    columns = collections.Counter()
    with open(path, encoding='utf-8', newline='') as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != HEADER:
            complain(f'{path}: the first line is not {",".join(HEADER)}')
            return
        for number, line in enumerate(reader, 1):
            row = f'{path}: {line["nr"]} ({line["seed"]})'
            if line['nr'] != str(number):
                complain(f'{row}: it should be number {number}')
            states[line['state']] += 1
            check_row(row, line)
            count_columns(row, line, columns)
    if states.total() != ROWS:
        complain(f'{path}: {states.total()} rows, {ROWS} are asked')
    if states['missing'] > MOST_MISSING:
        complain(f'{path}: {states["missing"]} are missing, at most {MOST_MISSING} may be')
    if columns['there'] < COLUMNS:
        complain(f'{path}: {columns["there"]} columns of monitors, there were {COLUMNS}')
    print(f'requirements: works {states["works"]}, different and better {states["better"]}, '
          f'missing {states["missing"]} up to v0.9; later {states["later"]}')
    print(f'monitors: columns asked {columns["asked"]}, there {columns["there"]}, NA by kernel {columns["NA"]}')


def main():
    options = pages.arguments({'table': {'nargs': '?', 'type': os.path.abspath, 'help': 'another table'}})
    check_table(options.table or TABLE)
    check_lifetimes()
    return pages.failed


if __name__ == '__main__':
    sys.exit(main())
