# SPDX-License-Identifier: GPL-2.0
"""The checks of series.sh --check: the table of the steps, the letters, the form of the files
in the tree, the threads as they are sent, the mails' length, and checkpatch."""
import collections
import concurrent.futures
import difflib
import glob
import os
import re
import subprocess
import sys

import mails
from mails import CLONE, FOLDER, HERE, REPO, SERIES, TREE, WORK, expand, git, kept, patches_in, read, steps_of, tried

from series_stage import diff, intree_makefile

CORE = "drivers/gpu/grtrace"
# Longer mails are not read. The file "open" lists the mails and mailings that still are
# longer with their size, which may only shrink: lines "<step> <lines> <KB>" and
# "mailing <number> <lines> <mails>", "thread-<thread> <lines> <mails>".
LINES, KB = 1500, 60
OPEN = {}
broken, bars = False, []


def wrong(text):
    global broken
    print(text, flush=True)
    broken = True


def bar(name, value, unit, limit, opened=0):
    """A value over its limit is wrong if it is over the number in the file "open", else reported as open."""
    if limit < value <= opened:
        print(f"OPEN {name} is {value} {unit}, {limit} is the aim")
        return
    if value > limit:
        wrong(f"{name} is {value} {unit}, more than {FOLDER}/open has for it")
    bars.append(f"BAR {name} {value} {unit} {limit} {'ok' if value <= limit else 'short'}")


def check_table():
    for step, path in SERIES.files():
        if step == "?":
            wrong(f"{path} is in no step of {FOLDER}/series, nor among those that are left out")
        elif step == "!":
            wrong(f"{FOLDER}/series: {path}")
    for patch in sorted(glob.glob(f"{FOLDER}/*.patch")):
        if os.path.basename(patch)[:-len(".patch")] not in SERIES.steps:
            wrong(f"{patch} is not listed in {FOLDER}/series")
        if re.search(r"^(new file mode|--- /dev/null|rename |copy )", diff(patch), re.M):
            wrong(f"{patch} adds or moves a file: files of ours are in the checkout, at their place in the tree")
        if read(patch).split("\n")[1]:
            wrong(f"{patch}: the line after the subject is not blank")
    last, before, seen = "", "", []
    for step in SERIES.steps:
        thread = SERIES.thread[step]
        if step <= last:
            wrong(f"{FOLDER}/series: {step} comes after {last}")
        if thread != before and thread in seen:
            wrong(f"{FOLDER}/series: {step} is apart from the rest of its thread")
        if before and thread[0] < before[0]:
            wrong(f"{FOLDER}/series: {step} comes after a later mailing")
        seen.append(thread)
        last, before = step, thread


def check_letters():
    """The letters have all their parts, are short, and have numbers of these patches."""
    for thread in SERIES.threads:
        text = f"{FOLDER}/cover.{thread.replace('/', '-')}"
        if len(steps_of(thread)) == 1:
            if os.path.exists(text):
                wrong(f"{text}: {thread} is one mail, whose message is its letter")
        elif not os.path.exists(text):
            wrong(f"there is no {text}: the cover letter of {thread}")
        else:
            for name in re.findall(r"^@(.*)@$", read(text), re.M):
                if not os.path.exists(f"{FOLDER}/{name}"):
                    wrong(f"{text} wants {FOLDER}/{name}, which is not there")
            lines = len(list(expand(text)))
            if lines > 120:
                wrong(f"{text} has {lines} lines; 120 are read")
    for text in sorted(glob.glob(f"{FOLDER}/cover.*")):
        if os.path.basename(text)[len("cover."):].replace("-", "/", 1) not in SERIES.threads:
            wrong(f"{text} is the letter of no thread")
    for text in glob.glob(f"{FOLDER}/offcost*"):
        if f"# Of these patches: {SERIES.code()}" not in read(text).split("\n"):
            wrong(f"{text} was measured with other patches: run scripts/grtrace/series/offcost.sh --save")


def grep(regex, *paths):
    """In the last step."""
    found = subprocess.run(["git", "-C", REPO, "grep", "-nE", regex, "series", "--", *paths], check=False,
                           stdout=subprocess.PIPE, text=True, errors="surrogateescape").stdout
    return found.replace("series:", "in the tree: ", 1).replace("\nseries:", "\nin the tree: ")


def check_form():
    """All code for building outside the tree is gone, and all files that make needs are there."""
    outside = r"GRTRACE_EXTERNAL|[ (]GRTRACE_COMPAT|KBUILD_EXTMOD|make demo"
    if not SERIES.backport:
        outside += r"|LINUX_VERSION_CODE|compat\.h"
    found = grep(outside, CORE, "tools/testing/selftests/grtrace/modules", "include/linux/grtrace.h",
                 "include/uapi/drm/grtrace_drm.h")
    if found:
        wrong(f"{found}the lines above belong outside the tree")
    found = grep("(^|[^[:alnum:]/])scripts/grtrace", ".", ":!Makefile")
    if found:
        wrong(f"{found}the lines above name scripts/grtrace, which is not in the tree")
    # A backport may do without some.
    if SERIES.backport:
        return
    for name, whole, missing in (("Makefile", intree_makefile(".", CORE), "no step has all files for the lines above"),
                                 ("Kconfig", read(f"{CORE}/Kconfig"), "no step has what the entries above are for")):
        there = git(REPO, "show", f"series:{CORE}/{name}")
        if there != whole:
            lost = [line[2:] for line in difflib.ndiff(whole.splitlines(), there.splitlines()) if line.startswith("- ")]
            wrong("\n".join([*lost, f"{CORE}/{name}: {missing}"]))


def check_includes():
    """A file of ours comes with the headers of ours that it includes, or after them."""
    when = {}
    for number, step in enumerate(SERIES.steps):
        for path in git(REPO, "diff", "--name-only", "--diff-filter=A", f"{step}^", step).split():
            when[path] = number
    for line in git(REPO, "grep", "-E", '^#include "', "series", "--", "*.c", "*.h", "*.cpp").splitlines():
        path, text = line.split(":", 2)[1:]
        if path not in when:
            continue
        for folder in (os.path.dirname(path), "tools/grtrace/src", "tools/grtrace/tests"):
            header = os.path.normpath(f"{folder}/{text.split(chr(34))[1]}")
            if when.get(header, -1) > when[path]:
                wrong(f"{path} of {SERIES.steps[when[path]]} includes {header}, which comes with {SERIES.steps[when[header]]}")


def check_mails():
    """Each thread as it is sent, except for the recipients. "git am" has to make of all these mails
    what they were made of: the same files at each step, with the same words."""
    mails.clone()
    if SERIES.backport:
        git(REPO, "format-patch", "-q", "--no-signature", "-N", "-o", f"{WORK}/out/all", "base..series")
        made = patches_in(f"{WORK}/out")
    else:
        for thread in SERIES.threads:
            try:
                mails.thread_mails(thread, f"{WORK}/out/{thread}")
            except (SystemExit, subprocess.CalledProcessError) as reason:
                wrong(reason)
        made = [mail for thread in SERIES.threads for mail in patches_in(f"{WORK}/out/{thread}")]
    if broken:
        return
    git(CLONE, "checkout", "-q", "-B", "mails", "base")
    done, said = tried("am", "-q", *made)
    logs = [git(CLONE, "log", "--format=%T%n%an <%ae>%n%B", f"base..{name}") for name in ("series", "mails")]
    if not done:
        tried("am", "--abort")
        wrong("\n".join([*said.split("\n")[:5], "git am cannot read the mails: see above"]))
    elif logs[0] != logs[1]:
        different = list(difflib.unified_diff(*(log.split("\n") for log in logs), lineterm="", n=0))[2:7]
        wrong("\n".join(different) + "\n" + git(CLONE, "diff", "--name-status", "series", "mails") +
              "git am makes something else of the mails, first where it says so above")


def check_sizes():
    lines_of, mails_of = collections.Counter(), collections.Counter()
    most = fattest = 0
    for thread in SERIES.threads:
        for step, mail in zip(steps_of(thread), patches_in(f"{WORK}/out/{thread}")):
            lines = sum(int(number) for row in git(REPO, "diff", "--numstat", f"{step}^", step).splitlines()
                        for number in row.split("\t")[:2] if number != "-")
            kb = (os.path.getsize(mail) + 1023) // 1024
            for name in (thread[0], thread):
                lines_of[name] += lines
                mails_of[name] += 1
            opened = OPEN.get(step, (0, 0))
            if (lines > LINES or kb > KB) and lines <= opened[0] and kb <= opened[1]:
                print(f"OPEN {step} has {lines} lines, {kb} KB")
                continue
            most, fattest = max(most, lines), max(fattest, kb)
            if lines > LINES or kb > KB:
                wrong(f"{step} has {lines} lines and {kb} KB as a mail; {LINES} and {KB} are read: split it")
    bar("series_largest_mail", most, "lines", LINES)
    bar("series_largest_mail_kb", fattest, "KB", KB)
    # Each mailing; of the largest one also what a reader gets at once.
    for name, key, opened, limits in [("mailing_1", "1", "mailing-1", (1800, 18)), ("mailing_2", "2", "mailing-2", (24000, 24)),
                                      *((f"thread_{thread.replace('/', '_')}", thread, f"thread-{thread}", (24000, 24))
                                        for thread in SERIES.threads if thread[0] == "2")]:
        opened = OPEN.get(opened, (0, 0))
        bar(f"series_{name}", lines_of[key], "lines", limits[0], opened[0])
        bar(f"series_{name}_mails", mails_of[key], "mails", limits[1], opened[1])
    bar("series_unbuilt", unbuilt(), "files", 0)


def unbuilt():
    """How many C files of the core the Makefile of their own step makes nothing of."""
    count = 0
    for step in SERIES.steps:
        for path in git(REPO, "diff", "--name-only", "--diff-filter=A", f"{step}^", step, "--", CORE).split():
            name = path[len(CORE) + 1:-2]
            # The unit tests of a source are a part of it.
            if path.endswith(".c") and not re.fullmatch("tests/source_.*_test", name):
                count += not re.search(rf"(^|[ \t]){name}\.o( |$)", git(REPO, "show", f"{step}:{CORE}/Makefile"), re.M)
    return count


def check_patch(mail):
    """The findings of checkpatch in one patch as a mail; a patch that passed gets a stamp."""
    text = re.sub(r"^(Date|Subject|Message-ID|In-Reply-To|References|base-commit|prerequisite-patch-id): .*\n", "",
                  read(mail).split("\n", 1)[1], flags=re.M | re.I)
    stamp = kept("series", text, read(f"{TREE}/scripts/checkpatch.pl"), read(f"{HERE}/lib/checkpatch.sh"))
    if os.path.exists(stamp):
        return ""
    said = subprocess.run(["bash", "-c", '. "$0" && cd "$1" && checkpatch "$1" --no-signoff --showfile "$2"',
                           f"{HERE}/lib/checkpatch.sh", TREE, mail], check=False, stdout=subprocess.PIPE, text=True)
    if not said.returncode:
        open(stamp, "w", encoding="ascii").close()
    return said.stdout


def check_patches():
    made = patches_in(f"{WORK}/out")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for mail, said in zip(made, pool.map(check_patch, made)):
            if said:
                wrong(f"{said}checkpatch on {os.path.basename(mail)}: see above")


def main():
    if os.path.exists(f"{FOLDER}/open"):
        for line in read(f"{FOLDER}/open").splitlines():
            found = re.match(r"(?!#)(?:mailing (?=\d))?(\S+) (\d+) (\d+)", line)
            if found:
                OPEN[("mailing-" if line.startswith("mailing ") else "") + found[1]] = int(found[2]), int(found[3])
    check_table()
    # A backport is not sent, and its kernel decides what is right in it.
    if not SERIES.backport:
        check_letters()
    check_form()
    check_includes()
    check_mails()
    if not broken and not SERIES.backport:
        check_sizes()
        check_patches()
    if not mails.ARGS.base and not SERIES.backport:
        print(f"OPEN no mail has a base-commit: {FOLDER}/base-commit is not there, so that --base is needed")
    if not broken:
        print(f"{len(SERIES.steps)} patches for {mails.ARGS.linux} apply without fuzz, in {len(SERIES.threads)} threads")
    if not SERIES.backport:
        print(*bars, sep="\n")
    return broken


sys.exit(main())
