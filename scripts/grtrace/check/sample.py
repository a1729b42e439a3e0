#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Prints a random sample of the sentences that english.py checks, for a reader who did not
write the sentences.  The same SEED on the same tree prints the same sample.

Usage: sample.py [COUNT [SEED]]

  COUNT  default 200
  SEED   default 34

Exit status: 0; 2 wrong usage.
"""
import os
import random
import sys

import english

def main(args):
    if args in (['-h'], ['--help']):
        print(__doc__.strip())
        return 0
    if len(args) > 2 or not all(arg.isdigit() for arg in args):
        print('wrong usage; see --help', file=sys.stderr)
        return 2
    count, seed = [int(arg) for arg in args] + [200, 34][len(args):]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../..'))
    pool = sorted({(where, ' '.join(text.split())) for where, text in english.everything()
                   if len(text.split()) > 4})
    random.seed(seed)
    for number, (where, text) in enumerate(random.sample(pool, min(count, len(pool))), 1):
        print(f'{number:3} {where}: {text}')
    print(f'{len(pool)} in all', file=sys.stderr)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
