#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Looks for wording that a native reader has to read twice: each row of the table has a
pattern of such wording, and a plain way to say it.  It reads the pages, the cover
letters, the manual pages, Kconfig, the strings of tools, kernel and scripts (help, messages,
the kernel's log, the page of a report), and the comments of tools, core, tests and scripts:
those before code, those behind it, and Python's docstrings.
Code, titles, questions and names of one word are left out. Prints for each finding its
place, the wording, and what to write instead.

Exit status: 0 nothing was found, 1 something; 2 wrong usage.
"""
import ast
import glob
import io
import os
import random
import re
import sys
import tokenize

import pages

TABLE = (
    (r'(?i)\b(tells?|told|telling|untold)\b(?! it to\b)', 'records, reports, shows, says'),
    (r'(?i)\b(no|some)body\b', 'no process, unknown, unattributed'),
    (r'\b(What|Which|Who|Whoever|Whose|Whatever) [a-z]', 'begin with the noun: "Options that ..."'),
    (r'\bOf [a-z]', 'the subject first'),
    (r'(?i)\b(to|for) who\b', 'name the noun'),
    (r'(?i)\bst(and|ands|ood) (in|at|on|below|beside|behind|there|between|above)\b', 'is, appears, is listed'),
    (r'(?i)\bgo(es)? by\b', 'uses, is based on'),
    (r'(?i)\bgo(es)? on (with|to|by)\b', 'continues'),
    (r'(?i)\b(that|those) (of|that)\b.*\b(that|those) of\b', 'repeat the noun'),
    (r'(?i)\bbut (for|of)\b', 'except'),
    (r'(?i)\ball the same\b', 'nevertheless, still'),
    (r'(?i)\b(anew|likewise|hence|therein|thereof)\b', 'again, also, therefore'),
    (r'(?i)\b(dear|dearer|mends?|mended)\b', 'expensive, fixes'),
    (r'(?i)\bcomes? (of|round)\b', 'results from'),
    (r'(?i)(?<!there )\bis no (?!(longer|more)\b)[a-z]', 'is not a'),
    (r'(?i)\bfor want of\b|\bbe it\b|\bwhoever\b', 'without, whether, any task that'),
    (r'(?i), too[.,;]', '"also", before the verb'),
    (r', as (there|no|only|some|nothing|these|those)\b', 'because'),
    (r'(?i)\bso many\b', 'that many, a number'),
    (r'(?i)\bneed be\b', 'if necessary'),
    (r'(?i)\bgo(es)? on\b', 'continues'),
    (r'(?i)\bis (said|told)\b', 'is printed, is reported'),
    (r'(?<!-)\b(only|alone)\.$', 'in front of what it is about'),
    (r'(?i)\b(paper GPU|made of paper|floors?|knobs?|which knob|house|doors?|rooms)\b(?!\.c)', 'mock GPU, level, setting, API, directory'),
    (r'(?i)\bhas the (truth|say)\b|\bas good as\b', 'say it plainly'),
    (r', of (it|them|these|those|which)\b', 'repeat the noun, or "one of which"'),
    (r'(?i)\bany more\b(?! \w+s\b)', 'no longer'),
    (r'(?i)\b(lie|lies|lay) (at|in|on|beside|behind|before|between|after|inside|outside)\b', 'is'),
    (r'\bto be (found|had)\b', 'can be found'),
    (r'\bthat (is|are) there\b', 'existing, current'),
    (r'(?i)(^|[.;] )(one|ones|those|the ones?) that\b', 'begin with the noun'),
)
# Sentences that have to stay: FILE, a part of the sentence, and the reason.
ALLOWED = (
    ('words/delays/', '"nobody"', 'a value in CSV, which scripts read'),
    ('delay_csv.h', 'others or nobody;', 'the same'),
    ('.cpp', 'untold ~', 'a line of METADATA, part of the format'),
    ('tool_records.h', 'untold <fact>', 'the same'),
    ('delay_table.cpp', 'Who delayed whom', 'the title of a table, and a question'),
    ('page.html', 'Who delayed whom', 'the same'),
    ('rooms.sh', 'rooms.sh', 'its name'),
    ('README', 'rooms.sh', 'the same'),
    ('rooms.sh', 'add a row to scripts/grtrace/check/rooms.sh', 'the same'),
    ('checks.py', '# Of these patches', 'a line of the measured table that series/offcost.sh saves'),
    ('levels.sh', 'only the public door', 'the name of the two headers in design.rst'),
)
PROSE = ('README.md', 'CONTRIBUTING.md', 'tools/grtrace/README.md', 'scripts/grtrace/README', 'scripts/grtrace/*/README',
         'Documentation/gpu/grtrace/*.rst', 'Documentation/ABI/*/*')
PLAIN = ('tools/grtrace/man/*.h2m', 'drivers/gpu/drm/*/cover*')
# A line of a list, or of a table, whose columns are at least two spaces apart.
ROW = r'[ \t*]*(?:- |\S+(?: \S+){0,4} {2,}\S)'
STRINGS = ('tools/grtrace/src/**/*.cpp', 'tools/grtrace/src/**/*.h', 'drivers/gpu/grtrace/*.[ch]',
           'tools/grtrace/src/words/page/*.js', 'tools/grtrace/src/words/page/*.html',
           'scripts/grtrace/**/*.sh', 'scripts/grtrace/**/*.py')
# Comments of C and C++, and of shell, Python, awk and make.
COMMENTS = tuple(f'{tree}/*.{end}' for end in ('c', 'h', 'cpp') for tree in (
    'tools/grtrace/src/**', 'tools/grtrace/tests/**', 'tools/testing/selftests/grtrace/**', 'drivers/gpu/grtrace/**',
    'scripts/grtrace/**')) + ('include/linux/grtrace*.h', 'include/uapi/drm/grtrace*.h')
HASHES = ('scripts/grtrace/**/*',) + tuple(f'{tree}/*.{end}' for end in ('t', 'sh', 'py', 'awk') for tree in (
    'tools/grtrace/tests/**', 'tools/testing/selftests/grtrace/**'))


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
    """Each as (number of its first line, text); a row or an item also ends one."""
    first, words = 0, []
    for number, text in prose(path):
        if not text.strip() or re.match(r'\s*([-*#] |#\.|\.\. |[=|])|' + ROW, text):
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


def split(text):
    return re.split(r'(?<=[.?!:])\s+(?=[A-Z"@])|\n\s*\n|\n\s+@|\n(?=' + ROW + ')', text)


def comments(path):
    """Each comment of C and C++, as (number of its first line, text)."""
    text = pages.read(path)
    for number, line in enumerate(text.split('\n'), 1):
        if found := re.match(r'.*\S.*?[;,{})]\s*// ?(.*)', line):
            yield number, found[1]
    for found in re.finditer(r'(?:^[ \t]*//[^\n]*\n)+|/\*(?:[^*]|\*(?!/))*\*/', text, re.M):
        inside = re.sub(r'^[ \t]*(?://|/?\*+/?)|\*/', '', found[0], flags=re.M)
        yield text[:found.start()].count('\n') + 1, re.sub(r'.*SPDX.*', '', inside)


def literals(path):
    """Strings of more than one word; of the page, its texts."""
    if path.endswith('.html'):
        text = re.sub(r'<(script|style)>.*?</\1>|\{\{.*?\}\}', '', pages.read(path), flags=re.S)
        found = re.split(r'<[^>]*>', text)
    elif path.endswith('english.py'):
        found = []      # of such wording itself
    elif path.endswith('.py'):
        found = messages(path)
    elif path.endswith('.js'):
        found = re.findall(r"'([^'\n]*)'", pages.read(path))
    else:
        found = pages.literals(path)
    for text in found:
        if ' ' in text.strip() and not re.search(r'SELECT|CREATE |\{\{', text):
            yield text.replace('\0', '~')


def documented(path):
    """Each docstring, as (its node, text)."""
    for node in ast.walk(ast.parse(pages.read(path))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            yield node.body[0].value, ast.get_docstring(node)


def messages(path):
    """Strings of Python that are not docstrings; ~ is what a program fills in."""
    others = {node for node, _ in documented(path)}
    for node in ast.walk(ast.parse(pages.read(path))):
        if isinstance(node, ast.JoinedStr):
            parts = [part for part in node.values if isinstance(part, ast.Constant)]
            others.update(parts)
            yield '\0'.join(part.value for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in others:
            yield node.value


def hashes(path):
    """Comments that begin with #, and Python's docstrings, as (number of the first line, text)."""
    text = pages.read(path)
    for found in re.finditer(r'(?:^[ \t]*#(?!!)[^\n]*\n)+', text, re.M):
        inside = re.sub(r'^[ \t]*# ?|.*SPDX.*|^[ \t]*# ?shellcheck.*', '', found[0], flags=re.M)
        yield text[:found.start()].count('\n') + 1, inside
    if path.endswith('.py'):
        yield from ((node.lineno, said) for node, said in documented(path))
        yield from ((token.start[0], token.string.lstrip('# ')) for token in tokenize.generate_tokens(io.StringIO(text).readline)
                    if token.type == tokenize.COMMENT and token.line[:token.start[1]].strip())


def match(patterns):
    found = {path for pattern in patterns for path in glob.glob(pattern, recursive=True)}
    return sorted(path for path in found if os.path.isfile(path))


def everything():
    """Each sentence with its place, "FILE:LINE" where the line is known."""
    for path in match(PROSE):
        yield from ((f'{path}:{number}', text) for number, text in sentences(path))
    for path in match(PLAIN):
        yield from ((path, part) for part in split(pages.read(path)))
    for entry in pages.read('drivers/gpu/grtrace/Kconfig').split('\n\n'):
        yield from (('drivers/gpu/grtrace/Kconfig', part) for part in split(entry.rsplit('help\n', 1)[-1]))
    for path in match(STRINGS):
        yield from ((path, part) for literal in literals(path) for part in split(literal))
    for path in match(HASHES):
        if not path.endswith(('README', '.c', '.h')):
            yield from ((f'{path}:{number}', part) for number, text in hashes(path) for part in split(text))
    for path in match(COMMENTS):
        yield from ((f'{path}:{number}', part) for number, text in comments(path) for part in split(text))


def file_of(where):
    return re.sub(r':\d+$', '', where)


def chosen(paths):
    """The sentences of these files, or of all."""
    places = list(everything())
    yield from ((where, text) for where, text in places if not paths or file_of(where) in paths)
    for path in set(paths) - {file_of(where) for where, _ in places}:
        found = comments if path.endswith(('.c', '.h', '.cpp')) else hashes if path.endswith(('.py', '.sh')) else sentences
        yield from ((f'{path}:{number}', part) for number, text in found(path) for part in (
            [text] if found == sentences else split(text)))


def is_question(sentence, found):
    """Whether what was found asks: a question mark ends it."""
    return re.match(r'[^.?!]*\?', sentence[found.start():])


def sample(count, seed):
    pool = sorted({(where, ' '.join(text.split())) for where, text in everything() if len(text.split()) > 4})
    random.seed(seed)
    for number, (where, text) in enumerate(random.sample(pool, min(count, len(pool))), 1):
        print(f'{number:3} {where}: {text}')
    print(f'{len(pool)} in all', file=sys.stderr)


def main(paths):
    status = 0
    used = set()
    for where, text in chosen(paths):
        sentence = ' '.join(text.split())
        allowed = [row for row in ALLOWED if row[0] in file_of(where) and row[1] in sentence]
        for pattern, instead in TABLE:
            found = re.search(pattern, sentence)
            if found and not is_question(sentence, found):
                used.update(allowed)
                if not allowed:
                    print(f'{where}: "{found[0]}" in "{sentence[max(0, found.start() - 60):found.end() + 40]}": {instead}')
                    status = 1
    for row in ALLOWED:
        if not paths and row not in used:
            print(f'{row[0]}: "{row[1]}" is allowed, and is not there')
            status = 1
    return status


if __name__ == '__main__':
    options = pages.arguments({
        'files': {'nargs': '*', 'help': 'default: all of these; of another one, a page or the comments of a source'},
        '--sample': {'nargs': 2, 'type': int, 'metavar': ('COUNT', 'SEED'), 'help': 'print COUNT of the sentences at random instead, '
                     'for a reader who did not write them; the same SEED on the same tree prints the same ones'}})
    sys.exit(sample(*options.sample) if options.sample else main(options.files))
