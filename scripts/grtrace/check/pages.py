#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Compares the pages with the source: the messages that troubleshooting.rst quotes, keys,
counters, letters of events and findings. Checks that each link leads to a page, that each
page is linked, and that the sections named in CONTRIBUTING.md answer its questions. Options
and examples need the built tools, so tools/grtrace/tests/cli/pages.t checks them.

Exit status: 0 they agree, 1 they do not; 2 wrong usage.
"""
import argparse
import functools
import glob
import os
import re
import sys

PAGES = 'Documentation/gpu/grtrace/'
TOOLS = ('tools/grtrace/src/**/*.cpp', 'tools/grtrace/src/**/*.h')
SOURCES = TOOLS + ('drivers/gpu/grtrace/*.[ch]', 'tools/testing/selftests/grtrace/modules/*.[ch]', 'scripts/grtrace/bench/module/*.[ch]', 'scripts/grtrace/**/*.sh', 'scripts/grtrace/**/*.py')
# A section of messages that are not ours.
FOREIGN = 'From other programs'

# The two expressions have to find the same: NAME, page, expression there, source,
# expression there. Each finds one or several words, with commas.
EQUAL = (
    ('key', 'keys.rst', r'^([a-z_]+(?:, [a-z_]+)*)[ *]*(?:\(.*\))?\n\t',
     'drivers/gpu/grtrace/config.c', r'^\t(?:KEY|SWITCH|NUMBER|MASK)\("(\w+)"'),
    ('counter', '../../ABI/testing/debugfs-grtrace', r'^\t\t([a-z_]+(?:, [a-z_]+)*)\t+[a-z]',
     'drivers/gpu/grtrace/stats.c', r'\[GRTRACE_STAT_\w+\]\s*= "(?!filtered_)(\w+)"'),
    ('tested counter', '../../ABI/testing/debugfs-grtrace', r'^\t\t(?!filtered_)([a-z_]+(?:, [a-z_]+)*)\t+[a-z]',
     'drivers/gpu/grtrace/tests/session_test.c', r'^\t\{ GRTRACE_STAT_\w+, "(?!filtered_)(\w+)" \},'),
    ('tested key', '../../ABI/testing/debugfs-grtrace', r'^\t\t([a-z_]+) {2,}\w+ +\S',
     'tools/testing/selftests/grtrace/config_test.c', r'^\t\{ "(\w+)", KIND_'),
    ('event', 'glossary.rst', r'^[A-Z]{1,2} +\d+ +(\w+) ',
     'tools/grtrace/src/format/vocabulary.cpp', r'\{GRTRACE_\w+, .*"[A-Z]+", "(\w+)"\}'),
)
# Only in one of both, with a reason.
ONE_SIDED = {
    'snapshots': 'counter of the session, which debugfs.c prints',
}

failed = False


def complain(text):
    global failed
    print(text)
    failed = True


@functools.cache
def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def arguments(known):
    """The command line, with these options. Paths are the checkout's from here on."""
    parser = argparse.ArgumentParser(description=sys.modules['__main__'].__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, more in known.items():
        parser.add_argument(name, **more)
    found = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../..'))
    return found


def literals(path):
    """String literals, as one where they are adjacent; \\0 is what a program fills in."""
    text = read(path)
    for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        whole = ''.join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0]))
        whole = re.sub(r'\\(["\'$\\])', r'\1', whole).replace('\\n', '\n')
        yield re.sub(r'\{[^{} ]*\}|%[-+ 0-9.]*(?:ll|l|z)?[a-zA-Z]|\$\w+|\$\{[^}]*\}', '\0', whole)


def check_messages(without):
    page = PAGES + 'troubleshooting.rst'
    known = [literal for pattern in SOURCES for path in glob.glob(pattern, recursive=True)
             for literal in literals(path)]
    if without:
        known = [literal for literal in known if without not in literal]
    text = read(page).split('\n' + FOREIGN + '\n')[0]
    messages = [message for line in re.findall(r'^(?:- )?``(.+)``$', text, re.M) for message in line.split('``, ``')]
    if len(messages) < 30:
        complain(f'{page}: {len(messages)} messages, there have to be 30')
    for message in messages:
        parts = [part for part in message.split('...') if part.strip()]
        if max(map(len, parts)) < 12:
            complain(f'{page}: "{message}" has too little text to be looked for')
            continue
        wanted = re.compile('.*'.join(map(re.escape, parts)), re.S)
        if not any(wanted.search(literal) for literal in known):
            complain(f'{page}: no program says "{message}"')


def words(path, pattern):
    return {word for found in re.findall(pattern, read(path), re.M) for word in found.split(', ')}


def check_equal():
    for name, page, there, source, here in EQUAL:
        told, known = words(PAGES + page, there), words(source, here)
        if not known:
            complain(f'{source}: no {name} was found')
        for word in sorted((known - told) - set(ONE_SIDED)):
            complain(f'{page}: the {name} {word} is missing, {source} has it')
        for word in sorted((told - known) - set(ONE_SIDED)):
            complain(f'{page}: there is no {name} {word} in {source}')


FINDINGS = 'tools/grtrace/src/words/findings/'


def check_findings():
    titles = ' '.join(' '.join(re.findall(r'return .*?;', read(FINDINGS + source), re.S))
                      for source in ('finding_text.cpp', 'standstill_text.cpp'))
    table = read(PAGES + 'stutter.rst').split('\nfinding ')[1].split('"Nothing was late"')[0]
    for row in re.findall(r'^([A-Z].{20,21})', table, re.M):
        for title in filter(None, map(str.strip, row.split(','))):
            if f'"{title}"' not in titles:
                complain(f'stutter.rst: there is no finding "{title}"')


def check_readme_and_links():
    pages = {os.path.basename(path)[:-4] for path in glob.glob(PAGES + '*.rst')}
    linked = set(re.findall(r'^   (\w[-\w]*)$', read(PAGES + 'index.rst'), re.M))
    ours = {page for page in pages if read(f'{PAGES}{page}.rst').startswith(':orphan:')}
    for page in sorted(pages - linked - ours - {'index'}):
        complain(f'{page}.rst: index.rst does not have it')
    for path in glob.glob(PAGES + '*.rst'):
        for target in re.findall(r':doc:`([^`]+)`', read(path)):
            if target not in pages:
                complain(f'{path}: there is no page {target}')
    readme = read('README.md')
    for target in re.findall(r'\]\(([^)#]+)(?:#[^)]*)?\)', readme):
        if not os.path.exists(target):
            complain(f'README.md: there is no {target}')
    named = {literal for pattern in TOOLS for path in glob.glob(pattern, recursive=True)
             for literal in literals(path)}
    for option in re.findall(r'(?<![-\w])--([a-z][-a-z]+)', readme):
        if option not in named:
            complain(f'README.md: no word has --{option}')
    # Two clicks at most: README names it, or a page that README names does.
    near = {os.path.basename(target)[:-4] for target in re.findall(r'\]\(([^)]+\.rst)\)', readme)}
    reached = near | {target for page in near if page in pages
                      for target in re.findall(r':doc:`([^`]+)`', read(f'{PAGES}{page}.rst'))}
    for page in sorted(pages - reached - {'index'}):
        complain(f'{page}.rst: more than two clicks from README.md')


def sections(path):
    """The text below each title, by the anchor that docutils and GitHub give it."""
    lines = read(path).split('\n')
    titles = [at for at in range(len(lines) - 1)
              if lines[at].strip() and re.match(r'([-=])\1{2,}$', lines[at + 1]) and not re.match(r'[-= ]+$', lines[at])]
    for at, end in zip(titles, titles[1:] + [len(lines)]):
        anchor = re.sub(r'[^a-z0-9]+', '-', lines[at].lower()).strip('-')
        yield anchor, ' '.join('\n'.join(lines[at:end]).split())


def check_questions():
    rows = re.findall(r'^\| (.+) \| \[\w+\]\((\S+)#(\S+)\) \| (.+) \|$', read('CONTRIBUTING.md'), re.M)
    if len(rows) != 24:
        complain(f'CONTRIBUTING.md: {len(rows)} questions, there have to be 24')
    for question, path, anchor, text in rows:
        found = dict(sections(path)) if os.path.exists(path) else {}
        if anchor not in found:
            complain(f'CONTRIBUTING.md: "{question}": {path} has no section {anchor}')
        elif text not in found[anchor]:
            complain(f'CONTRIBUTING.md: "{question}": the section {anchor} of {path} does not have "{text}"')
        if f'({path}' not in read('README.md'):
            complain(f'CONTRIBUTING.md: "{question}": README.md does not link {path}')


def main():
    options = arguments({'--without': {'metavar': 'TEXT', 'help': 'behave as if no source had TEXT, to test that this is noticed'}})
    check_messages(options.without)
    check_equal()
    check_findings()
    check_readme_and_links()
    check_questions()
    return failed


if __name__ == '__main__':
    sys.exit(main())
