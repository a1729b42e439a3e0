#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
The parts of bench_tools.sh: measures programs that read a capture or a trace, on one
processor and from the page cache.  Prints a part of the report; the bars go to a file.

Usage: reading.py PART NAME=VALUE...

  PART   one of read, jobs, memory, many, window, import
  NAME   tools, work and out (folders), bars (a file), guest and blk (folders with the
         peers' traces), events, jobs and long (how many), rounds
"""
import csv
import glob
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import bars

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = dict(word.split("=", 1) for word in sys.argv[2:])
TOOLS, WORK, OUT, GUEST, BLK = (NAMES[name] for name in ("tools", "work", "out", "guest", "blk"))
EVENTS, JOBS, LONG, ROUNDS = (int(NAMES[name]) for name in ("events", "jobs", "long", "rounds"))
GRTRACE, GRPARSE = f"{TOOLS}/grtrace", f"{TOOLS}/grparse"
# The first is the busiest, as a rule.
PROCESSOR = os.cpu_count() - 1


def bar(name, value, unit, limit, least=False):
    with open(NAMES["bars"], "a", encoding="ascii") as file:
        print(bars.line(name, f"{value:.2f}", unit, limit, least), file=file)


def timed(*command):
    """CPU seconds, seconds and KiB of memory, with its output thrown away."""
    os.sched_setaffinity(0, {PROCESSOR})
    began = time.monotonic()
    with tempfile.TemporaryFile() as said, \
            subprocess.Popen(["/usr/bin/time", "-f", "%M", "-o", f"{WORK}/kib", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode:
            said.seek(0)
            sys.exit(f"{' '.join(command)}: exit status {running.returncode}\n{said.read().decode()}")
    took = time.monotonic() - began
    os.sched_setaffinity(0, range(os.cpu_count()))
    # used has the memory of this process as well, which was there before the program.
    with open(f"{WORK}/kib", encoding="ascii") as file:
        return used.ru_utime + used.ru_stime, took, int(file.read().split()[-1])


def runs(name, commands):
    """Each command ROUNDS times, in turns; their medians by name. All runs go to a CSV."""
    found = {label: [] for label in commands}
    with open(f"{OUT}/{name}.csv", "w", encoding="ascii", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["what", "cpu_s", "wall_s", "kib"])
        for _ in range(ROUNDS):
            for label, command in commands.items():
                found[label].append(timed(*command))
                cpu, wall, kib = found[label][-1]
                table.writerow([label, f"{cpu:.3f}", f"{wall:.3f}", kib])
    return {label: [statistics.median_low(column) for column in zip(*rows)] for label, rows in found.items()}


def rate(number, seconds):
    """Millions a second."""
    return number / seconds / 1e6


def simulate(records, name, *options):
    """Makes a capture of about that many records, on 8 CPUs and 64 rings; returns their number."""
    said = subprocess.run([f"{TOOLS}/workload", "--jobs", str(records * 10 // 66), "--rings", "64", "--devices", "4",
                           "--processes", "32", "--contexts", "4", "--cpus", "8", "--depend", "50", "--wait", "50",
                           "--fail", "2", *options, name], check=True, stderr=subprocess.PIPE, text=True).stderr
    return int(said.split()[0])


def size(*paths):
    return sum(os.path.getsize(path) for path in paths)


def lines(*command, having=""):
    """How many of its lines match."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        return sum(1 for line in running.stdout if re.search(having.encode(), line))


def remove(pattern):
    for path in glob.glob(f"{WORK}/{pattern}"):
        os.remove(path)


def package(name):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False)
    return f"{found.stdout or 'not installed'}"


def read():
    """grparse beside tools that print traces of the same number of events; each counts its own
    by the lines that it prints."""
    gpu, job = f"{WORK}/gpu", "the fields of drm_sched_job_run"
    simulate(EVENTS, gpu)
    subprocess.run([GRTRACE, "export", "--to", "ctf", "-o", f"{WORK}/ctf", gpu], check=True, stdout=sys.stderr)
    version = subprocess.run([GRPARSE, "-V"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    # NAME: version, what the trace holds, its files, the lines that are events, command.
    printers = {
        "grparse": (version, "jobs of 64 rings, 8 CPUs, 14 kinds of event", glob.glob(f"{gpu}.grtrace.*"), "",
                    [GRPARSE, "-q", gpu]),
        "trace-cmd": (package("trace-cmd"), job, [f"{GUEST}/trace.dat"], "job_run",
                      ["trace-cmd", "report", "-i", f"{GUEST}/trace.dat"]),
        "perf": (package("linux-perf"), job, [f"{GUEST}/perf.data"], "job_run",
                 ["perf", "script", "-i", f"{GUEST}/perf.data"]),
        "blkparse": (package("blktrace"), "requests of one disk, 5 kinds of event", glob.glob(f"{BLK}/disk.*"), "^ ",
                     ["blkparse", "-q", "-i", f"{BLK}/disk"]),
        "babeltrace2": (package("babeltrace2"), "as grparse has, exported as CTF",
                        [path for path in glob.glob(f"{WORK}/ctf/**", recursive=True) if os.path.isfile(path)], "",
                        ["babeltrace2", f"{WORK}/ctf"]),
    }
    counted = {name: lines(*printer[4], having=printer[3]) for name, printer in printers.items()}
    medians = runs("read", {name: printer[4] for name, printer in printers.items()})
    print(f"""## Reading and printing a trace

As text, to /dev/null, medians of {ROUNDS} runs in turns. CPU time, user and system: what else the machine
does is not in it. *bytes/event*: of the trace, with what it says about itself.

| tool | events | bytes/event | M events/s | grparse is | memory KiB | the trace |
|---|--:|--:|--:|--:|--:|---|""")
    ours = rate(counted["grparse"], medians["grparse"][0])
    for name, (its_version, holds, files, _, _) in printers.items():
        its = rate(counted[name], medians[name][0])
        print(f"| {name} {its_version} | {counted[name]} | {size(*files) / counted[name]:.2f} | {its:.2f} | "
              f"{ours / its:.2f} times | {medians[name][2]} | {holds} |")
        if name in ("trace-cmd", "blkparse"):
            bar(f"read_{name.replace('-', '_')}", ours / its, "ratio", 10 if name == "trace-cmd" else 6, least=True)


def jobs():
    """The bar is for all that is known of each job: its times and label, and the stages of all.
    --full also prints what the jobs did to each other and to the rings, in a dozen tables more,
    and why they were late, which has a bar of its own: the cost of the same report, screen and
    tables, with these findings and without."""
    records = simulate(JOBS, f"{WORK}/jobs")
    forms = {"jobs": ["--per-ring"], "tables": ["--per-ring", "--busy", "--topn", "5", "--delays", "--proofs", "1"],
             "all": ["--full"]}
    medians = runs("jobs", {name: [GRTRACE, "report", *options, f"{WORK}/jobs"] for name, options in forms.items()})
    print(f"""## Analysing jobs

`grtrace report` of {records} records on 64 rings and 8 CPUs, medians of {ROUNDS} runs in turns, CPU time.
*jobs* is `--per-ring`: the times and label of each job, and the stages of each ring; *tables* has
queue depth, idle gaps, who delayed whom, and the greatest of all sorts; *all* is `--full`, which
has the rings drawn and the findings as well.

| tables | M records/s | memory KiB |
|---|--:|--:|""")
    for name, (cpu, _, kib) in medians.items():
        print(f"| {name} | {rate(records, cpu):.2f} | {kib} |")
    bar("jobs_rate", rate(records, medians["jobs"][0]), "Mrecords/s", 20, least=True)
    steps = subprocess.run(["taskset", "-c", str(PROCESSOR), f"{TOOLS}/rates", "--runs", str(ROUNDS), f"{WORK}/jobs"],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    print(f"\nThe cost of each step, with those before it; the least of {ROUNDS} runs:\n\n```\n{steps}```")
    full, without = (float(re.search(rf"^{name} +([0-9.]+) ns", steps, re.M)[1]) for name in ("full", "no findings"))
    bar("findings_cost", full / without, "ratio", 1.3)
    fleet = [GRTRACE, "export", "--to", "csv", "--fleet", f"{WORK}/jobs"]
    with subprocess.Popen(fleet, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        rows = sum(1 for _ in running.stdout) - 1
    cpu = runs("fleet", {"fleet": fleet})["fleet"][0]
    print(f"\n`grtrace export --fleet` of {rows} jobs: {rate(rows, cpu):.2f} M rows/s, median of {ROUNDS} runs.")
    bar("fleet_export", rate(rows, cpu), "Mrows/s", 1, least=True)
    remove("jobs.*")


def memory():
    records = simulate(LONG, f"{WORK}/long")
    long = {"report": [GRTRACE, "report", "--full", f"{WORK}/long"], "print": [GRPARSE, "-q", f"{WORK}/long"]}
    print("## A long capture\n")
    with open(f"{OUT}/memory.csv", "w", encoding="ascii") as file:
        print("what,records,cpu_s,wall_s,kib", file=file)
        for name, command in long.items():
            cpu, wall, kib = timed(*command)
            print(f"{name},{records},{cpu:.3f},{wall:.3f},{kib}", file=file)
            print(f"`{os.path.basename(command[0])} {command[1]}` of {records} records "
                  f"({size(*glob.glob(f'{WORK}/long.*')) >> 20} MiB) on 64 rings: {kib / 1024:.2f} MiB of memory at most, "
                  f"{rate(records, cpu):.2f} M records/s.\n")
            bar(f"{name}_memory", kib / 1024, "MiB", 64)
    remove("long.*")


def many():
    """A few captures under many names, by links, so that the disk is not what is measured."""
    captures, made = 1000, 8
    records = sum(simulate(30000, f"{WORK}/made{number}", "--seed", str(number), "--cpus", "1") for number in range(made))
    records = records * captures // made
    names = [f"{WORK}/many{number}" for number in range(captures)]
    for number, name in enumerate(names):
        os.link(f"{WORK}/made{number % made}.grtrace.0", f"{name}.grtrace.0")
    in_order, printed = timed(GRPARSE, "-q", "-O", *names), timed(GRPARSE, "-q", *names)
    print(f"""## Many captures

`grparse` of {captures} captures of {size(f'{WORK}/made0.grtrace.0') >> 10} KiB: {in_order[2] / captures:.2f} KiB of memory for each, \
{rate(records, in_order[0]):.2f} M records/s in order, {rate(records, printed[0]):.2f} M records/s printed.""")
    bar("many_rate", rate(records, in_order[0]), "Mrecords/s", 5, least=True)
    bar("many_memory", in_order[2] / captures, "KiB", 64)
    with open(f"{OUT}/many.csv", "w", encoding="ascii") as file:
        print(f"captures,records,cpu_s,wall_s,kib\n{captures},{records},{in_order[0]:.3f},{in_order[1]:.3f},{in_order[2]}", file=file)
    remove("made*")
    remove("many*")


def window():
    """The whole of it could not be read in this time from any disk."""
    subprocess.run([sys.executable, "-B", f"{HERE}/long_capture.py", f"{WORK}/window"], check=True)
    seconds = runs("window", {"window": [GRPARSE, "-q", "-w", "500:501", f"{WORK}/window"]})["window"][1]
    print(f"""## A second of a long capture

`grparse -q -w 500:501` of {size(*glob.glob(f'{WORK}/window.*')) // 10**9} GB and 1000 s: {seconds:.3f} s, median of {ROUNDS} runs.""")
    bar("window_of_10gb", seconds, "seconds", 0.3)
    remove("window.*")


def imports():
    text, dat, imported = f"{WORK}/trace.txt", f"{WORK}/trace.dat", f"{WORK}/imported"
    with open(text, "w", encoding="ascii") as file:
        subprocess.run(["awk", "-v", f"events={JOBS}", "-f", f"{HERE}/trace_text.awk"], check=True, stdout=file)
    cpu, _, kib = runs("import", {"text": [GRTRACE, "import", "-q", "-o", imported, text]})["text"]
    print(f"""## Traces of other programs

`grtrace import` of a text of {JOBS} events: {rate(JOBS, cpu):.2f} M events/s, {kib / 1024:.2f} MiB of memory, median of {ROUNDS} runs.""")
    bar("import_rate", rate(JOBS, cpu), "Mevents/s", 2, least=True)
    bar("import_memory", kib / 1024, "MiB", 64)

    # A report of a trace.dat beside one of the capture that is made of it.
    subprocess.run([sys.executable, "-B", f"{HERE}/../../../tools/grtrace/tests/cli/tracedat.py", dat, str(EVENTS // 3)], check=True)
    subprocess.run([GRTRACE, "import", "-q", "-o", imported, dat], check=True)
    medians = runs("import_dat", {"import": [GRTRACE, "import", "-q", "-o", "-", dat], "dat": [GRTRACE, "report", dat],
                                  "capture": [GRTRACE, "report", imported]})
    its = rate(EVENTS // 3 * 3, medians["import"][0])
    print(f"`grtrace import` of a trace.dat of {EVENTS // 3 * 3} events: {its:.2f} M events/s; `grtrace report` of it "
          f"takes {medians['dat'][1]:.3f} s, of its capture {medians['capture'][1]:.3f} s.")
    bar("import_dat_rate", its, "Mevents/s", 2, least=True)
    bar("report_of_dat", medians["dat"][1] / medians["capture"][1], "ratio", 2)
    remove("trace.*")
    remove("imported*")


{"read": read, "jobs": jobs, "memory": memory, "many": many, "window": window, "import": imports}[sys.argv[1]]()
