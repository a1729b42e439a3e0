# SPDX-License-Identifier: GPL-2.0
#
# pages.py PAGE | --keys PAGE | --exits PAGE WORD | --same PAGE REGEX WORD REGEX
#
# The commands of a page, as pages.t says; or the keys of the ABI file, a table of exit
# statuses, or other names, against --help. A command of a literal block
# follows "$ " or "# "; those behind "$ " are run, where the captures are, and the
# lines below it are compared with what it prints: "..." leaves lines out. All others are
# in ../guest/pages.txt, typed in a guest or with the reason why not, and that list has no
# others. A script of a page is the file ci_gate.sh there. Commands in the text that read a
# capture that is here are run.
import functools
import glob
import os
import re
import shlex
import subprocess
import sys

READS = {'report', 'explain', 'timeline', 'verify', 'diff', 'export', 'merge', 'grparse'}
# A gate may find something, or too little, and so may a check.
FINE = {'diff': (0, 4, 5)}
GUEST = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'guest')
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


@functools.cache
def words():
    text = subprocess.run(['grtrace', '--help'], capture_output=True, text=True, check=False).stdout
    return ['grparse'] + re.findall(r'^  ([a-z]+) ', text, re.M)


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
    first = next(invocations(line), ('',))
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


def blocks(text):
    """Commands of literal blocks: (line number, prompt, command, lines shown)."""
    command, script = None, False
    for number, line in enumerate(text.split('\n'), 1):
        script = line.startswith('\t#!') or script and (line.startswith('\t') or not line)
        if script:
            continue
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


def listed(page):
    """The commands of a page in pages.txt, in its order: (command, whether a guest types it)."""
    here = guest = False
    with open(os.path.join(GUEST, 'pages.txt'), encoding='utf-8') as file:
        for line in file:
            found = re.match(r'([\w.-]+): (in a guest$|not run: .{20})', line)
            if found:
                here, guest = found[1] == page, found[2] == 'in a guest'
            elif here and line.startswith('\t'):
                yield line.strip(), guest


def check_listed(page, commands):
    """Compares commands that were not run here with pages.txt."""
    known = list(listed(page))
    for command in commands:
        if command not in [row[0] for row in known]:
            complain(page, f'"{command}" is run by no test and not in pages.txt')
    for command, guest in known:
        if command not in commands:
            complain(page, f'"{command}" is in pages.txt, but not in the page')
    typed = [row[0] for row in known if row[1]]
    if typed != [command for command in dict.fromkeys(commands) if command in typed]:
        complain(page, 'pages.txt has the commands for a guest in another order')


def check_script(page, text):
    """The script of a page is the one that the guest runs."""
    for found in re.findall(r'^\t#!.*\n((?:\t.*\n|\n)+)', text, re.M):
        script = re.sub(r'^\t', '', found, flags=re.M).strip('\n')
        with open(os.path.join(GUEST, 'ci_gate.sh'), encoding='utf-8') as file:
            if script != file.read().split('GPL-2.0\n')[1].strip('\n'):
                complain(page, 'its script is not ci_gate.sh')


def fenced(text):
    """Markdown's code as a literal block, its commands with a prompt: "$ " where they read."""
    inside = False
    for line in text.split('\n'):
        if line.startswith('```'):
            inside = not inside
            yield ''
            continue
        found = re.match(r'(grtrace +)?([a-z]+)', line)
        if inside and not line.startswith('$ ') and found and (found[1] or found[2] in ('grparse', 'make', 'scripts')):
            line = ('$ ' if found[2] in READS else '# ') + line
        yield '\t' + line if inside and line else line


def check_keys(page):
    """Defaults, ranges, and what is fixed in a session, against grtrace config --help."""
    with open(page, encoding='utf-8') as file:
        table = re.split(r'^\t\t=+ =+ =+$', file.read(), flags=re.M)[1]
    known = {}
    for line in table.strip('\n').split('\n'):
        found = re.match(r'\t\t([a-z_]+)\s+(\S+)\s+(.*)', line)
        if found:
            name = found[1]
            known[name] = (len(known) < 4, found[3], found[2])
        else:
            idle, values, default = known[name]
            known[name] = (idle, f'{values} {line.strip()}', default)
    text = subprocess.run(['grtrace', 'config', '--help'], capture_output=True, text=True, check=False).stdout
    rows = re.findall(r'^([a-z_]+)( \*)? {2,}(\S+) +(\S.*)$', text.split('\nKEY ')[1], re.M)
    for name, idle, default, values in rows:
        if name not in known:
            complain(page, f'{name} is missing')
            continue
        page_idle, page_values, page_default = known[name]
        if page_idle != bool(idle):
            complain(page, f'{name}: it is among the first four, or the other way round')
        if page_default != default:
            complain(page, f'{name}: the default is {default}, not {page_default}')
        for number in re.findall(r'\d{2,}', values):
            if number not in page_values:
                complain(page, f'{name}: {number} is missing in "{page_values}"')
    print(f'{len(rows)} keys')


def check_exits(page, word):
    """The table of exit statuses, against the word's --help."""
    with open(page, encoding='utf-8') as file:
        shown = set(re.findall(r'^(\d) {5,}', file.read(), re.M))
    text = subprocess.run(['grtrace', word, '--help'], capture_output=True, text=True, check=False).stdout
    known = set(re.findall(r'^  (\d)  ', text.split('\nExit status:\n')[1], re.M))
    if shown != known:
        complain(page, f'exit statuses {sorted(shown)}, but {word} has {sorted(known)}')
    print(f'{len(known)} exit statuses')


def check_same(page, there, word, here):
    """Compares the matches of an expression in the page with another's in the word's --help."""
    with open(page, encoding='utf-8') as file:
        shown = set(re.findall(there, file.read(), re.M))
    text = subprocess.run(['grtrace', word, '--help'], capture_output=True, text=True, check=False).stdout
    known = set(re.findall(here, text.split('\nExamples:\n')[0], re.M))
    if shown != known:
        complain(page, f'only there {sorted(shown - known)}, only in {word} {sorted(known - shown)}')
    print(f'{len(known)} are the same')


def main(page):
    with open(page, encoding='utf-8') as file:
        text = file.read()
    if page.endswith('.md'):
        text = '\n'.join(fenced(text))
    name = page.rsplit('/', 1)[-1]
    count = 0
    others = []
    check_script(name, text)
    for number, prompt, line, shown in blocks(text):
        where = f'{name}:{number}'
        # More lines of one command.
        while shown and (shown[0].startswith('> ') or line.endswith('\\')):
            line = line.rstrip('\\') + ('\n' if shown[0].startswith('> ') else ' ') + \
                shown.pop(0).removeprefix('> ').strip()
        while shown and not shown[-1]:
            shown.pop()
        check_options(where, line)
        line = re.sub(r' {2,}#.*', '', line)
        if prompt == '$' and (line, False) not in listed(name):
            run(where, line, shown)
            count += 1
        else:
            others.append(line)
    check_listed(name, others)
    captures = {path.split('.')[0] for path in glob.glob('*.grtrace.*')}
    for line in re.findall(r'``((?:grtrace|grparse) [^`]+)``', text):
        line = re.sub(r'\s+', ' ', line)
        if re.search(r'[A-Z]{3}|\.\.\.', line) and not re.search(r"'", line):
            continue
        check_options(name, line)
        reads = next(invocations(line), ('',))[0] in READS
        if reads and (line.split()[-1] in captures or ' game | ' in line):
            run(name, line, [])
            count += 1
    # Options that the text names alone are those of some word.
    every = set().union(*map(options, words()))
    for option in re.findall(r'``(--[a-z][-a-z]+)', text):
        if option not in every:
            complain(name, f'no word has {option}')
    print(f'{count} commands ran')


if sys.argv[1] == '--keys':
    check_keys(sys.argv[2])
elif sys.argv[1] == '--exits':
    check_exits(*sys.argv[2:])
elif sys.argv[1] == '--same':
    check_same(*sys.argv[2:])
else:
    main(sys.argv[1])
sys.exit(failed)
