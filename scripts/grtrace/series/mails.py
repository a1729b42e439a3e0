# SPDX-License-Identifier: GPL-2.0
"""The mails of series.sh: a thread of the series as a branch, the thread's patches and cover
letter, and the recipients. series.sh checks the options, and says what they mean."""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, f"{HERE}/lib")
# pylint: disable=wrong-import-position
from series import Series, touches                                  # noqa: E402,F401
from series_stage import ENVIRONMENT, die, git, note, read, write   # noqa: E402



def arguments():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in "cache work repo folder tree linux out previous statement base thread".split():
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("-v", dest="version", type=int)
    parser.add_argument("--trailer", action="append", default=[])
    parser.add_argument("--rfc", action="store_true")
    parser.add_argument("--signoff", action="store_true")
    return parser.parse_args()


ARGS = arguments()
WORK, REPO, TREE, OUT = ARGS.work, ARGS.repo, ARGS.tree, ARGS.out
SERIES = Series(ARGS.folder)
FOLDER = SERIES.folder
CLONE = f"{WORK}/repo"


def sender(name):
    """The sender's name or address, from git's own settings."""
    return subprocess.run(["git", "config", f"user.{name}"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def tried(*args):
    """Did git do that in the clone?  And what it said."""
    done = subprocess.run(["git", "-C", CLONE, *args], env=ENVIRONMENT, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="surrogateescape")
    return not done.returncode, done.stdout


def clone():
    """Copies the repository, to make branches in it."""
    shutil.copytree(REPO, CLONE, symlinks=True)
    git(CLONE, "config", "user.name", sender("name") or "grtrace")
    git(CLONE, "config", "user.email", sender("email") or "grtrace@localhost")


def steps_of(*threads):
    return [step for step in SERIES.steps if SERIES.thread[step] in threads]


def files_of(thread):
    return {path for step in steps_of(thread) for path in git(REPO, "diff", "--name-only", f"{step}^", step).split()}


def needs(thread):
    """The threads before it on which it stands. A fix or an event needs those that change a file
    of its own, and what these need; all else needs all before it."""
    found = []
    for other in SERIES.threads[:SERIES.threads.index(thread)]:
        if thread[0] not in "01" or files_of(other) & files_of(thread):
            found += [*needs(other), other]
    return list(dict.fromkeys(found))


def branch(thread):
    """A branch of that name, and a tag from-THREAD where it begins."""
    mine = steps_of(thread)
    if thread[0] not in "01":
        git(CLONE, "branch", "-q", "-f", thread, mine[-1])
        git(CLONE, "tag", "-f", f"from-{thread}", f"{mine[0]}^")
        return
    git(CLONE, "checkout", "-q", "-B", thread, "base")
    for steps in (steps_of(*needs(thread)), mine):
        if steps is mine:
            git(CLONE, "tag", "-f", f"from-{thread}", "HEAD")
        done, said = tried("cherry-pick", "--allow-empty", *steps) if steps else (True, "")
        if not done:
            tried("cherry-pick", "--abort")
            die(f"{said}the thread {thread} does not stand alone: see above")


def patches_in(folder):
    return sorted(path for path in glob.glob(f"{folder}/**/*.patch", recursive=True)
                  if not path.endswith("0000-cover-letter.patch"))


def has_previous(thread):
    """Makes the branch before-THREAD, of the mails in "previous"."""
    mails = patches_in(f"{ARGS.previous}/{thread}") if ARGS.previous else []
    if not mails:
        return False
    git(CLONE, "checkout", "-q", "-B", f"before-{thread}", f"from-{thread}")
    if not tried("am", "-q", "-3", *mails)[0]:
        tried("am", "--abort")
        note(f"there is no range-diff for {thread}: its mails in {ARGS.previous} no longer apply")
        return False
    return True


def expand(path):
    """The lines of a text, with the files of the patches' folder in the place of lines that are
    "@NAME@": what several letters say, and tables that are measured, without their head.
    @LINUX@ in a line is the kernel that the patches are for."""
    for line in read(path).splitlines():
        if line.startswith("# "):
            continue
        if not re.fullmatch("@.*@", line):
            yield line.replace("@LINUX@", ARGS.linux)
        elif os.path.exists(f"{FOLDER}/{line.replace('@', '')}"):
            yield from expand(f"{FOLDER}/{line.replace('@', '')}")
        else:
            note(f"{path} wants {FOLDER}/{line.replace('@', '')}, which is not there")


def said():
    """The text behind a letter, or behind the line "---" of a patch without one: the sender's
    statement, and the changes of this version and those before it, newest first."""
    text = "\n" + read(ARGS.statement) if ARGS.statement else ""
    if ARGS.version > 1:
        text += "\n" + re.sub(r"^v(\d+):$", r"Changes in v\1:", re.sub(r"^#.*\n", "", read(f"{FOLDER}/changelog"), flags=re.M),
                              flags=re.M)
    return text


def letter(mail, text):
    """Subject and body into git's cover letter."""
    subject = read(text).split("\n", 1)[0]
    body = "".join(line + "\n" for line in list(expand(text))[2:]) + said()
    out = ""
    for line in read(mail).splitlines():
        if "*** SUBJECT HERE ***" in line:
            line = line.split("***")[0] + subject
            # A line that is too long continues in the next.
            at = line[:76].rfind(" ") if len(line) > 76 else -1
            line = line if at < 0 else f"{line[:at]}\n {line[at + 1:]}"
        out += body if "*** BLURB HERE ***" in line else line + "\n"
    write(mail, out)


def declare_in(mail):
    """The trailers of the options, after those that the patch has."""
    lines = ARGS.trailer + ([f"Signed-off-by: {sender('name')} <{sender('email')}>"] if ARGS.signoff else [])
    if lines:
        subprocess.run(["git", "-c", "trailer.ifexists=addIfDifferent", "interpret-trailers", "--in-place",
                        *(word for line in lines for word in ("--trailer", line)), mail], check=True)


def thread_mails(thread, folder):
    """Into the folder, without recipients."""
    text = f"{FOLDER}/cover.{thread.replace('/', '-')}"
    branch(thread)
    options = ["--no-cover-letter", "-n"] + (["-v", str(ARGS.version)] if ARGS.version > 1 else [])
    if len(steps_of(thread)) > 1:
        options += ["--cover-letter", "--thread=shallow"]
        if not os.path.exists(text):
            die(f"the thread {thread} has no cover letter: write {text}")
    if has_previous(thread):
        options.append(f"--range-diff=from-{thread}..before-{thread}")
    git(CLONE, "checkout", "-q", thread)
    shutil.rmtree(folder, ignore_errors=True)
    prefix = "RFC PATCH" if ARGS.rfc or thread in SERIES.rfc else "PATCH"
    git(CLONE, "format-patch", "-q", "--no-signature", f"--subject-prefix={prefix}", "--base=base", *options, "-o", folder,
        f"from-{thread}..{thread}")
    mails = sorted(glob.glob(f"{folder}/*.patch"))
    base = f"base-commit: {ARGS.base}\n" if ARGS.base else ""
    for mail in mails:
        # Our base is a commit of our own.
        write(mail, re.sub(r"^base-commit: .*\n", base, read(mail), flags=re.M))
        if mail.endswith("0000-cover-letter.patch"):
            letter(mail, text)
            continue
        declare_in(mail)
        if len(mails) == 1:
            write(mail, read(mail).replace("\n---\n", "\n---\n" + said(), 1))


def kept(name, *inputs):
    """A file of the cache that depends on these."""
    os.makedirs(f"{ARGS.cache}/checks", exist_ok=True)
    key = hashlib.sha256("\0".join(inputs).encode(errors="surrogateescape")).hexdigest()[:16]
    path = f"{ARGS.cache}/checks/{name}-{key}"
    if os.path.exists(path):
        os.utime(path)
    return path


def recipients(patch):
    """("to" or "cc", ADDRESS) of get_maintainer.pl. Each run of it takes seconds: kept by what it
    depends on."""
    text = re.split(r"^---\n", read(patch), maxsplit=1, flags=re.M)[1]
    path = kept("who", re.sub(r"^(index|base-commit:|prerequisite-patch-id:) .*\n", "", text, flags=re.M), sender("email"),
                read(f"{TREE}/MAINTAINERS"), read(f"{TREE}/scripts/get_maintainer.pl"))
    if not os.path.exists(path):
        asked = subprocess.run(["perl", "scripts/get_maintainer.pl", "--no-git", "--no-git-fallback", "--roles", "--no-rolestats",
                                patch], cwd=TREE, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # One who is not in the tree yet is who sends this.
        lines = [line for line in asked.stdout.splitlines() if sender("email") not in line]
        lines = [re.sub(r" \((?:maintainer|supporter)[^(]*\)?.*$", "", "to " + line) if re.search(r" \((maintainer|supporter)", line)
                 else re.sub(r" \(.*$", "", "cc " + line) for line in lines]
        write(f"{path}.new.{os.path.basename(patch)}", "".join(line + "\n" for line in lines))
        os.replace(f"{path}.new.{os.path.basename(patch)}", path)
    return [tuple(line.split(" ", 1)) for line in read(path).splitlines()]


def address(mail, who):
    """The recipients into the mail's header.  A mail that is for none goes to the lists."""
    kinds = {}
    for kind, name in who:
        kinds.setdefault(name, kind)
    to, copies = ([name for name in kinds if kinds[name] == kind] for kind in ("to", "cc"))
    if not to:
        to, copies = copies, []
    header = "".join(f"{name}: " + ",\n\t".join(names) + "\n" for name, names in (("To", to), ("Cc", copies)) if names)
    write(mail, read(mail).replace("\n\n", f"\n{header}\n", 1))


def thread_addresses(folder):
    """The recipients into its mails; the letter goes to all of them."""
    plain = patches_in(folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(recipients, plain))
    for mail, who in zip(plain, found):
        address(mail, who)
    for mail in glob.glob(f"{folder}/*0000-cover-letter.patch"):
        # "to" first: who has one patch in copy and another as its maintainer.
        address(mail, sorted({pair for who in found for pair in who}, reverse=True))


def main():
    only = ARGS.thread
    clone()
    if not only:
        for path in glob.glob(f"{OUT}/[0-9]"):
            shutil.rmtree(path)
    for thread in SERIES.threads:
        if f"{thread}/".startswith(f"{only.rstrip('/')}/" if only else ""):
            thread_mails(thread, f"{OUT}/{thread}")
            thread_addresses(f"{OUT}/{thread}")
            print(f"{OUT}/{thread}", flush=True)


if __name__ == "__main__":
    main()
