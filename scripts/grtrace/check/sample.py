#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Prints sentences of the tree at random, to be read by somebody who did not write them:
of the pages, the strings of tools and kernel, manual pages, Kconfig, and the comments of
headers.  The same SEED on the same tree prints the same.

Usage: sample.py [COUNT [SEED]]

  COUNT  default 200
  SEED   default 34

Exit status: 0; 2 wrong usage.
"""
import glob
import os
import random
import re
import sys

import english
import pages

HEADERS = ('tools/grtrace/src/**/*.h', 'drivers/gpu/grtrace/*.h', 'include/linux/grtrace*.h',
           'include/uapi/drm/grtrace*.h')
LITERALS = ('tools/grtrace/src/**/*.cpp', 'drivers/gpu/grtrace/*.c')


def files(patterns):
    return sorted(path for pattern in patterns for path in glob.glob(pattern, recursive=True))


def split(text):
    return re.split(r'(?<=[.?!:])\s+(?=[A-Z"@])|\n\s*\n|\n\s+@', text)


def comments(path):
    """Each comment on lines of its own, as (number of its first line, text)."""
    text = pages.read(path)
    for found in re.finditer(r'(?:^[ \t]*//[^\n]*\n)+|/\*(?:[^*]|\*(?!/))*\*/', text, re.M):
        inside = re.sub(r'^[ \t]*(?://|/?\*+/?)|\*/', '', found[0], flags=re.M)
        yield text[:found.start()].count('\n') + 1, re.sub(r'.*SPDX.*', '', inside)


def everything():
    for path in ['README.md', 'CONTRIBUTING.md'] + files([pages.PAGES + '*.rst', 'Documentation/ABI/*/*']):
        yield from ((f'{path}:{number}', text) for number, text in english.sentences(path))
    for path in files(LITERALS):
        for literal in pages.literals(path):
            if not re.search(r'SELECT|CREATE |\{\{', literal):
                yield from ((path, part) for part in split(literal.replace('\0', '~')))
    for path in files(['tools/grtrace/man/*.h2m']):
        yield from ((path, part) for part in split(pages.read(path)))
    for entry in re.split(r'\n\n', pages.read('drivers/gpu/grtrace/Kconfig')):
        yield from (('Kconfig', part) for part in split(entry.rsplit('help\n', 1)[-1]))
    for path in files(HEADERS):
        for number, text in comments(path):
            yield from ((f'{path}:{number}', part) for part in split(text))


def main(args):
    if args in (['-h'], ['--help']):
        print(__doc__.strip())
        return 0
    if len(args) > 2 or not all(arg.isdigit() for arg in args):
        print('wrong usage; see --help', file=sys.stderr)
        return 2
    count, seed = [int(arg) for arg in args] + [200, 34][len(args):]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../..'))
    pool = sorted({(where, ' '.join(text.split())) for where, text in everything()
                   if len(text.split()) > 4})
    random.seed(seed)
    for number, (where, text) in enumerate(random.sample(pool, min(count, len(pool))), 1):
        print(f'{number:3} {where}: {text}')
    print(f'{len(pool)} in all', file=sys.stderr)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
