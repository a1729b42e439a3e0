#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Looks in the pages for wording that a native reader has to read twice: each row of the
table is a pattern of it, and a way to say it plainly.  Code, titles and questions are
left out.
Prints "FILE:LINE: "what was found": what to write instead".

Usage: english.py [FILE...]

  FILE  default: README.md, the pages of Documentation/gpu/grtrace, and those of the ABI

Exit status: 0 nothing was found, 1 something; 2 wrong usage.
"""
import glob
import os
import re
import sys

TABLE = (
    (r'(?i)\b(tells?|told|telling|untold)\b', 'records, reports, shows, says'),
    (r'(?i)\b(no|some)body\b', 'no process, unknown, unattributed'),
    (r'\b(What|Who|Whoever|Whose|Whatever) [a-z]', 'begin with the noun: "Options that ..."'),
    (r'\bOf [a-z]', 'the subject first'),
    (r'(?i)\b(to|for) who\b', 'name the noun'),
    (r'(?i)\bst(and|ands|ood) (in|at|on|below|beside|behind|there|between|above)\b', 'is, appears, is listed'),
    (r'(?i)\bgo(es)? by\b', 'uses, is based on'),
    (r'(?i)\bgo(es)? on (with|to|by)\b', 'continues'),
    (r'(?i)\bthat of\b.*\bthat of\b', 'repeat the noun'),
    (r'(?i)\bbut (for|of)\b', 'except'),
    (r'(?i)\ball the same\b', 'nevertheless, still'),
    (r'(?i)\b(anew|likewise|hence|therein|thereof)\b', 'again, also, therefore'),
    (r'(?i)\b(dear|dearer|mends?|mended)\b', 'expensive, fixes'),
    (r'(?i)\bcomes? (of|round)\b', 'results from'),
    (r'(?i)(?<!there )\bis no (?!(longer|more)\b)[a-z]', 'is not a'),
    (r'(?i)\bfor want of\b|\bbe it\b|\bwhoever\b', 'without, whether, any task that'),
    (r'(?i)\b(paper GPU|made of paper|floors?|knobs?|which knob)\b', 'mock GPU, level, setting'),
    (r'(?i)\bhas the (truth|say)\b|\bas good as\b', 'say it plainly'),
)
# Sentences that have to stay: FILE, a part of the sentence.
ALLOWED = ()


def prose(path):
    """Lines without code and titles, as (number, text); a line of these is empty."""
    markdown = path.endswith('.md')
    code = None     # the indent of the text before a literal block, or '```'
    with open(path, encoding='utf-8') as file:
        lines = file.read().expandtabs(8).split('\n')
        for number, text in enumerate(lines, 1):
            if re.match(r'([-=])\1*$', (lines + [''])[number]) or text.startswith('#'):
                text = ''
            indent = len(text) - len(text.lstrip())
            if markdown and text.lstrip().startswith('```'):
                code = None if code else '```'
                text = ''
            elif code == '```':
                text = ''
            elif code is not None and text.strip() and indent <= code:
                code = None
            if code is not None:
                text = ''
            elif not markdown and text.endswith('::') or text.startswith('.. code-block'):
                code = indent
            text = re.sub(r'``.*?``|`[^`]*`|``.*$|^[^`]*``(?=[\s,.;:)])', 'X', text)
            yield number, text


def sentences(path):
    """Each as (number of its first line, text); rows and items end one, too."""
    first, words = 0, []
    for number, text in prose(path):
        if not text.strip() or re.match(r'\s*([-*#] |#\.|\.\. |[=|])', text):
            if words:
                yield first, ' '.join(words)
            words = []
        for part in re.split(r'(?<=[.?!]) +(?=[A-Z"*])', text.strip()):
            if not part:
                continue
            if not words:
                first = number
            words.append(part)
            if part[-1] in '.?!':
                yield first, ' '.join(words)
                words = []
    if words:
        yield first, ' '.join(words)


def main(paths):
    status = 0
    for path in paths:
        for number, sentence in sentences(path):
            if sentence.endswith('?') or any(path.endswith(file) and part in sentence for file, part in ALLOWED):
                continue
            for pattern, instead in TABLE:
                found = re.search(pattern, sentence)
                if found:
                    print(f'{path}:{number}: "{found[0]}" in "{sentence[:70]}": {instead}')
                    status = 1
    return status


if __name__ == '__main__':
    if sys.argv[1:] in (['-h'], ['--help']):
        print(__doc__.strip())
        sys.exit()
    if any(arg.startswith('-') for arg in sys.argv[1:]):
        print(f'unknown option {sys.argv[1]}; see --help', file=sys.stderr)
        sys.exit(2)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../..'))
    sys.exit(main(sys.argv[1:] or ['README.md'] + sorted(glob.glob('Documentation/gpu/grtrace/*.rst') + glob.glob('Documentation/ABI/*/*'))))
