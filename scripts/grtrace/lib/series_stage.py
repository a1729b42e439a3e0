# SPDX-License-Identifier: GPL-2.0
"""The stage of a step of the series: its files laid out as in a kernel's tree, with the
Makefiles and Kconfig of all steps so far, and its patch applied."""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Where the files of ours lie that may belong in the tree.
TOPS = ("Documentation", "drivers", "include", "tools")
# The kernel has a Makefile of all selftests; ours replaces it where no kernel is.
NOT_THERE = re.compile(r"drivers/gpu/drm/[0-9]|tools/testing/selftests/Makefile$")
CORE = "drivers/gpu/grtrace"
TESTS = "tools/testing/selftests/grtrace"
ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}


def die(text):
    sys.exit(f"{os.environ.get('CALLER', 'series.py')}: {text}")


def note(text):
    print(f"[grtrace] {text}", file=sys.stderr, flush=True)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def git(repo, *args, **more):
    """The output of git, without the settings of its user."""
    return subprocess.run(["git", "-C", repo, "-c", "tar.umask=0022", *args], env=ENVIRONMENT, check=True,
                          stdout=subprocess.PIPE, text=True, errors="surrogateescape", **more).stdout


def own_files():
    """The files of ours that go into a kernel's tree."""
    found = subprocess.run(["bash", "-c", '. "$0" && our_files "$@"', f"{HERE}/files.sh", *TOPS],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return sorted(path for path in found if not NOT_THERE.match(path))


def message(patch):
    return re.split(r"^---\n", read(patch), maxsplit=1, flags=re.M)[0]


def diff(patch):
    """The diff of a patch. In that of MAINTAINERS, the maintainer is the sender of the series."""
    sender = f"{os.environ.get('GIT_AUTHOR_NAME', '')} <{os.environ.get('GIT_AUTHOR_EMAIL', '')}>"
    return (re.split(r"^---\n", read(patch), maxsplit=1, flags=re.M) + [""])[1].replace("@SENDER@", sender)


def touches(patches):
    """The files that the diffs change."""
    return sorted({path for patch in patches for path in re.findall(r"^\+\+\+ b/([^\t\n]*)", read(patch), re.M)})


def files_in(folder):
    return {os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names}


def intree_makefile(stage, folder):
    """Our Makefile of the folder, reduced to what the stage needs: leaves out parts for external
    builds, and from its lists the words (X.o or X) whose file X.c is not there. A list without
    words is removed, and so is a paragraph without lists."""
    ours, staged = files_in(folder), files_in(f"{stage}/{folder}")
    text = re.sub(r"^(ifneq \(\$\(KBUILD_EXTMOD\),\)|ifeq \(\$\(CONFIG_GRTRACE\),\))\n(.*\n)*?endif\n", "",
                  read(f"{folder}/Makefile"), flags=re.M)

    def is_staged(word):
        """None: no file."""
        word = re.sub(r"\.o$", ".c", word)
        name = word if word in ours else word + ".c"
        return name in staged if name in ours else None

    def reduced(lines):
        """An assignment with its continued lines; and how many of its files there are, and are not."""
        joined = lines.replace("\\\n", " ")
        found = re.match(r"[A-Za-z0-9_$()-]+[ \t]*[:+]?=[ \t]*", joined)
        words = joined[found.end():].split() if found else []
        there = [is_staged(word) for word in words]
        if False not in there:
            return lines + "\n", there.count(True), 0
        out, line, kept = "", found[0].rstrip(), [word for word, at in zip(words, there) if at is not False]
        for word in kept:
            if len(f"{line} {word}") > 74:
                out, line = f"{out}{line} \\\n", f"\t  {word}"
            else:
                line = f"{line} {word}"
        return f"{out}{line}\n" if kept else "", there.count(True), there.count(False)

    paragraphs = []
    for paragraph in re.split(r"\n\n+", text):
        entries = [reduced(lines) for lines in re.split(r"(?<!\\)\n", paragraph)]
        if any(missing for _, _, missing in entries) and not any(found for _, found, _ in entries):
            continue
        paragraphs.append("".join(entry for entry, _, _ in entries).rstrip("\n"))
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def lay(stage, files, backport=False):
    """Files of ours into the stage, in their form there; Makefiles and Kconfig come from rules()."""
    for path in files:
        target = f"{stage}/{path}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if path in (f"{CORE}/Kconfig", f"{CORE}/Makefile") or path.startswith(TESTS) and path.endswith("Makefile"):
            write(target, "")
        elif path[-2:] in (".c", ".h") and re.search(r"GRTRACE_(EXTERNAL|COMPAT)", read(path)):
            # Whether a kernel is older than what our files are written for.
            compat = "-DGRTRACE_COMPAT" if backport else "-UGRTRACE_COMPAT"
            if subprocess.run(["unifdef", "-x", "2", "-B", "-UGRTRACE_EXTERNAL", compat, "-o", target, path],
                              check=False).returncode:
                die(f"{path}: unifdef could not take what is for external building out of it")
        else:
            shutil.copy2(path, target)


def rules(stage):
    """Makefiles and Kconfig as they are with the files in the stage."""
    for folder in (CORE, TESTS, f"{TESTS}/modules", f"{TESTS}/destructive"):
        if os.path.exists(f"{stage}/{folder}/Makefile"):
            write(f"{stage}/{folder}/Makefile", intree_makefile(stage, folder))
    if os.path.exists(f"{stage}/{CORE}/Kconfig"):
        makefile = read(f"{stage}/{CORE}/Makefile")
        entries = re.split(r"^(?=config )", read(f"{CORE}/Kconfig"), flags=re.M)
        text = "".join(entry for entry in entries
                       if not entry.startswith("config ") or f"CONFIG_{entry.split()[1]})" in makefile)
        write(f"{stage}/{CORE}/Kconfig", text.rstrip("\n") + "\n")


def apply(patch, stage, version):
    """Without fuzz, or says what does not apply."""
    for path in touches([patch]):
        if not os.path.exists(f"{stage}/{path}"):
            die(f"{patch} does not apply to Linux {version}: there is no {path}")
    text = diff(patch)
    if not text:
        return
    tried = subprocess.run(["patch", "-p1", "-F0", "-f", "--no-backup-if-mismatch", "-r", "-", "-d", stage], input=text,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True, errors="surrogateescape")
    if not tried.returncode:
        return
    # The first hunk that failed, with the line the patch itself has for it.
    failed = re.search(r"^Hunk #(\d+) FAILED", tried.stdout, re.M)
    if not failed:
        print(tried.stdout, file=sys.stderr)
        die(f"{patch} does not apply to Linux {version}: see patch's message above")
    path = re.findall(r"^(?:checking|patching) file (\S+)", tried.stdout[:failed.start()], re.M)[-1]
    mine = text.split(f"+++ b/{path}", 1)[1].split("\ndiff ", 1)[0]
    hunk = re.findall(r"^@@ .*", mine, re.M)[int(failed[1]) - 1]
    die(f"{patch} does not apply to Linux {version}: hunk {failed[1]} of {path}, {hunk}")


def commit(repo, tag, text):
    git(repo, "add", "-A", "-f")
    git(repo, "commit", "-q", "--allow-empty", "-F", "-", "--cleanup=whitespace", input=text)
    git(repo, "tag", tag)
