#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The patch series: this checkout as a sequence of commits on a kernel.

A step is a patch of files of the kernel (possibly empty), and the files of ours that come
with it, in the form they have in the tree.  The series becomes a small git repository with
only the files that it touches: its first commit is the kernel, followed by a commit for each
step, with the step's name as a tag.  The branch "series" ends with the last step; "checkout"
also has files that belong to no step yet, so that they can be built before their step is
chosen.  lib/series.sh calls this, from the checkout's top:

    series.py key SOURCE        the repository's name, which changes with what it is made of
    series.py fill SOURCE DIR   the repository, in DIR
    series.py lay STAGE FILE... files of ours into STAGE, in their form in a new kernel's tree
    series.py steps FOLDER      for each step its name, thread, "main" or "-", and its patch
    series.py makefile FOLDER   the Makefile of a folder of ours in a tree with all files
    series.py files FOLDER      for each file of ours its step; "?" is none, "!" an error
    series.py code FOLDER       a sum over the code of the patches
"""
import fnmatch
import glob
import hashlib
import os
import re
import shutil
import sys

from series_stage import apply, commit, diff, die, git, intree_makefile, lay, message, note, own_files, read, rules, touches, write

FOLDERS = "drivers/gpu/drm"


def version_of(source):
    """7.3.4, as the tree's Makefile says."""
    part = dict(re.findall(r"^(VERSION|PATCHLEVEL|SUBLEVEL) *= *(\S*)", read(f"{source}/Makefile"), re.M))
    return f"{part['VERSION']}.{part['PATCHLEVEL']}.{part['SUBLEVEL']}"


def order(version):
    return [int(part) for part in version.split(".")]


def folder_of(version):
    """The patches for it: those of its own X.Y, else of the newest before it."""
    known = sorted((os.path.basename(os.path.dirname(path)) for path in glob.glob(f"{FOLDERS}/[0-9]*/series")), key=order)
    older = [name for name in known if order(name) <= order(version)[:2]]
    if not older:
        die(f"there are no patches for Linux {version}: {FOLDERS} has them for {' '.join(known)}")
    return f"{FOLDERS}/{older[-1]}"


class Series:
    """The table "series" of a folder.  A line that begins with a blank has files of the step
    above it; what is left out is of the step "-".

    The table of a backport says what differs: "like X.Y", "without" what steps, and more files
    for steps of X.Y.  A patch that it has goes before the other's.
    """
    def __init__(self, folder):
        self.folder, self.backport = folder, False
        self.thread, self.main, self.patch = {}, {}, {}     # by the step, in order
        self.rfc = set()
        self.claims = []        # (step, pattern)
        self.read(folder)
        for step in self.thread:
            if os.path.exists(f"{folder}/{step}.patch"):
                self.patch[step] = f"{folder}/{step}.patch"
            if step not in self.patch:
                die(f"{folder}/series: there is no {folder}/{step}.patch")
        self.steps = list(self.thread)
        self.threads = list(dict.fromkeys(self.thread.values()))

    def read(self, folder):
        step = ""
        for number, line in enumerate(read(f"{folder}/series").splitlines(), 1):
            where = f"{folder}/series:{number}"
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == "like":
                like = f"{os.path.dirname(folder)}/{words[1]}"
                self.read(like)
                self.patch = {name: f"{like}/{name}.patch" for name in self.thread
                              if os.path.exists(f"{like}/{name}.patch")}
                self.backport = True
            elif words[0] == "without":
                for name in words[1:]:
                    self.thread.pop(name, None) or die(f"{where}: no such step")
                    self.claims = [("-" if owner == name else owner, pattern) for owner, pattern in self.claims]
            elif line[0].isspace():
                if not step:
                    die(f"{where}: files of no step")
                if self.backport:
                    self.claims = [claim for claim in self.claims if claim[1] not in words]
                self.claims += [(step, pattern) for pattern in words]
            else:
                step = words[0]
                if step == "-" or self.backport and step in self.thread:
                    continue
                if not re.match(r"[0-4]/.", words[1] if words[1:] else ""):
                    die(f"{where}: the step {step} names no mailing and thread")
                if step in self.thread:
                    die(f"{where}: the step {step} is there already")
                self.thread[step] = words[1]
                self.main[step] = "main" in words[2:]
                if "rfc" in words[2:]:
                    self.rfc.add(words[1])

    def files(self):
        """(step, file) of all files of ours. A name goes before a pattern (whose * takes a / as
        well), a long pattern before a short one; a file that nothing claims has the step "?"."""
        named, patterns, found = {}, [], []
        for step, pattern in self.claims:
            if re.search(r"[*?[]", pattern):
                patterns.append((pattern, step))
            elif pattern in named:
                found.append(("!", f"{pattern} (twice)"))
            else:
                named[pattern] = step
        patterns.sort(key=lambda pair: -len(pair[0]))
        for path in own_files():
            step = named.pop(path, None)
            found.append((step or next((step for pattern, step in patterns if fnmatch.fnmatchcase(path, pattern)), "?"), path))
        return found + [("!", f"{name} (no such file)") for name in named]

    def code(self):
        """A sum over the patches that fix and add trace events (mailings 0 and 1): measurements of
        them depend on these. KUnit's tests are not measured."""
        files = [file for step in self.steps if self.thread[step][:2] in ("0/", "1/")
                 for file in re.split(r"^(?=diff --git )", diff(self.patch[step]), flags=re.M)]
        lines = [re.sub(r"^@@.*", "@@", line) for file in files if "/tests/" not in file.split("\n", 1)[0]
                 for line in file.splitlines() if re.match(r"[-+]|@@", line)]
        return hashlib.sha256("".join(line + "\n" for line in lines).encode(errors="surrogateescape")).hexdigest()[:16]


def fill(source, repo):
    version = version_of(source)
    series = Series(folder_of(version))
    owners = series.files()
    git(repo, "init", "-q", "-b", "checkout")
    for path in touches(series.patch[step] for step in series.steps):
        if os.path.exists(f"{source}/{path}"):
            os.makedirs(os.path.dirname(f"{repo}/{path}"), exist_ok=True)
            shutil.copy2(f"{source}/{path}", f"{repo}/{path}")
    commit(repo, "base", f"Linux {version}\n")
    for step in series.steps:
        apply(series.patch[step], repo, version)
        lay(repo, [path for owner, path in owners if owner == step], series.backport)
        rules(repo)
        commit(repo, step, message(series.patch[step]))
    git(repo, "branch", "series")
    write(f"{repo}/.git/folder", series.folder + "\n")
    rest = [path for owner, path in owners if owner == "?"]
    if rest:
        note(f"in no step of {series.folder}/series: {' '.join(rest)}")
        lay(repo, rest, series.backport)
        rules(repo)
        commit(repo, "unlisted", "in no step\n")


def key(source):
    version = version_of(source)
    series = Series(folder_of(version))
    sums = hashlib.sha256()
    patches = [series.patch[step] for step in series.steps]
    sender = (os.environ.get("GIT_AUTHOR_NAME"), os.environ.get("GIT_AUTHOR_EMAIL"))
    sums.update(repr((source, version, sender)).encode())
    # The files that the series is made of, also those of a tree of the user's own.
    for path in [*sorted({*own_files(), *glob.glob(f"{series.folder}/*"), *glob.glob(f"{series.folder}/*/*"), *patches,
                          __file__}), *(f"{source}/{path}" for path in touches(patches))]:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                sums.update(f"{path} {hashlib.sha256(file.read()).hexdigest()}\n".encode())
    print(f"{version}-{sums.hexdigest()[:16]}")


def main(command, *args):
    if command in ("key", "fill"):
        {"key": key, "fill": fill}[command](*args)
    elif command == "lay":
        lay(args[0], args[1:])
    elif command == "makefile":
        print(intree_makefile(".", *args), end="")
    else:
        series = Series(*args)
        for line in {"steps": lambda: [(step, series.thread[step], "main" if series.main[step] else "-", series.patch[step])
                                       for step in series.steps],
                     "files": series.files, "code": lambda: [(series.code(),)]}[command]():
            print(*line)


if __name__ == "__main__":
    main(*sys.argv[1:])
