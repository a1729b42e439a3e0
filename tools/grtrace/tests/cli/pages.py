# SPDX-License-Identifier: GPL-2.0
#
# pages.py PAGE: the commands of a page, as pages.t says. A command of a literal block
# stands behind "$ " or "# "; those behind "$ " that read are run, where the captures are,
# and the lines below it are compared with what it prints: "..." leaves lines out. Of
# commands in the text, those that read a capture that is here are run.
import functools
import glob
import re
import shlex
import subprocess
import sys

READS = {'report', 'explain', 'timeline', 'verify', 'diff', 'export', 'merge', 'grparse'}
# A gate may find something, or too little, and so may a check.
FINE = {'diff': (0, 4, 5)}
failed = False


def complain(where, text):
    global failed
    print(f'{where}: {text}')
    failed = True


@functools.cache
def options(word):
    """The options of a word, by its --help."""
    command = ['grparse'] if word == 'grparse' else ['grtrace', word]
    text = subprocess.run(command + ['--help'], capture_output=True, text=True, check=False).stdout
    lines = re.findall(r'^ +(?:(-[a-zA-Z]), ?)?(--[a-z-]+)?', text, re.M)
    return {option for line in lines for option in line if option} | set(re.findall(r'^ +(-[a-zA-Z])\b', text, re.M))


def invocations(line):
    """Each call of a tool in a line of shell: (word, its arguments)."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars='|;&<>()')
    lexer.whitespace_split = True
    call, begins = None, True
    for token in list(lexer) + [';']:
        if re.fullmatch(r'[|;&<>()]+', token) or token == '--':
            if call:
                yield call
            call, begins = None, True
        elif call is None and begins and token in ('grtrace', 'grparse'):
            call = ('grparse', []) if token == 'grparse' else ('', [])
        elif call is None:
            begins = token == 'sudo'
        elif call[0] == '':
            call = ('record', [token]) if token.startswith('-') else (token, [])
        else:
            call[1].append(token)


def check_options(where, line):
    for word, arguments in invocations(line):
        known = options(word)
        if not known:
            complain(where, f'there is no word {word}')
            continue
        for argument in arguments:
            long = re.match(r'--[a-z][-a-z]*', argument)
            short = re.match(r'-[a-zA-Z]', argument)
            if long and long[0] not in known:
                complain(where, f'{word} has no {long[0]}')
            elif short and not long and short[0] not in known:
                complain(where, f'{word} has no {short[0]}')


def run(where, line, shown):
    first = next(invocations(line), None)
    if not first or first[0] not in READS:
        return False
    done = subprocess.run(['sh', '-c', line], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in FINE.get(first[0], (0,)):
        complain(where, f'"{line}": exit status {done.returncode}: {done.stderr.strip()[:300]}')
    printed = done.stdout.split('\n')
    at, skip = 0, False
    for text in shown:
        if text == '...':
            skip = True
            continue
        places = [n for n in range(at, len(printed)) if printed[n].rstrip() == text]
        if not places or (not skip and places[0] != at):
            complain(where, f'"{line}" does not print "{text}" there')
            break
        at, skip = places[0] + 1, False
    return True


def blocks(text):
    """Commands of literal blocks: (line number, prompt, command, lines shown)."""
    command = None
    for number, line in enumerate(text.split('\n'), 1):
        found = re.match(r'(?:\t|  +)([$#]) (.+)$', line)
        if found:
            if command:
                yield command
            command = [number, found[1], found[2], []]
        elif command and re.match(r'\t', line):
            command[3].append(line[1:].rstrip())
        elif command and not line.strip():
            command[3].append('')
        elif command:
            yield command
            command = None
    if command:
        yield command


def main(page):
    with open(page, encoding='utf-8') as file:
        text = file.read()
    name = page.rsplit('/', 1)[-1]
    count = 0
    for number, prompt, line, shown in blocks(text):
        where = f'{name}:{number}'
        # More lines of one command.
        while shown and (shown[0].startswith('> ') or line.endswith('\\')):
            line = line.rstrip('\\') + ' ' + shown.pop(0).removeprefix('> ')
        while shown and not shown[-1]:
            shown.pop()
        check_options(where, line)
        count += prompt == '$' and run(where, line, shown)
    captures = {path.split('.')[0] for path in glob.glob('*.grtrace.*')}
    for line in re.findall(r'``((?:grtrace|grparse) [^`]+)``', text):
        line = re.sub(r'\s+', ' ', line)
        if re.search(r'[A-Z]{3}|\.\.\.', line) and not re.search(r"'", line):
            continue
        check_options(name, line)
        if line.split()[-1] in captures or ' game | ' in line:
            count += run(name, line, [])
    print(f'{count} commands ran')
    return failed


sys.exit(main(sys.argv[1]))
