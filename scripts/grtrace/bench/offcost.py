#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Counts the instructions that a tracepoint that is off adds to the functions that call
it: compares two builds of an object (x86-64, ELF), with and without the patches.

Usage: offcost.py OBJECT WITHOUT.o WITH.o EVENT...

The instructions of a function that can be reached while all tracepoints are off are
followed from its entry, over all branches. Instructions behind the static key of a
tracepoint, which the compiler lays out of line, cannot be reached. So the order of the
blocks does not count, nor does code that runs only while a probe is attached. All other
code counts, such as a register that has to be saved. Padding up to the next alignment
is left out.

Prints a line for each function that has a call, with fields separated by tabs:

    OBJECT FUNCTION EVENTS NOPS WITHOUT WITH CHANGES

NOPS is the number of static keys on the way.  WITHOUT and WITH count the instructions
that can be reached, except for these keys.  CHANGES is the difference by mnemonic, or
"-".  A function that only one object has, because it was inlined in the other, has "?".
"""
import collections
import re
import subprocess
import sys

PREFIX = r"(?:(?:notrack|bnd|cs|ds|lock|rep\w*|data16)\s+)*"
# Instructions that fill the room up to an alignment.
PADDING = re.compile(r"(?:(?:cs|data16)\s+)*nop|xchg\s+%ax,%ax$|int3$")

Function = collections.namedtuple("Function", "start size name")
Place = collections.namedtuple("Place", "section address")


class Instruction:
    def __init__(self, text, relocation):
        self.text = text
        self.relocation = relocation    # (symbol, addend), or None
        self.next = None                # address of the one behind it


def stem(name):
    """The name without what the compiler appends to clones and cold parts."""
    return re.sub(r"\.(?:cold|part|isra|constprop|\d+)\b.*", "", name)


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout.splitlines()


class Object:
    """Functions, instructions with their relocations, and tracepoints' keys."""

    def __init__(self, path):
        self.functions = collections.defaultdict(list)      # by section
        self.instructions = collections.defaultdict(dict)   # by section and address
        self.symbols = {}                                   # name: Place
        self.keys = {}                                      # Place: event
        self.read_symbols(path)
        self.read_instructions(path)
        self.read_keys(path)

    def read_symbols(self, path):
        section = {}
        for line in lines_of("readelf", "-SW", path):
            if found := re.match(r"\s*\[\s*(\d+)\]\s+(\S+)\s", line):
                section[found[1]] = found[2]
        for line in lines_of("readelf", "-sW", path):
            found = re.match(r"\s*\d+:\s+([0-9a-f]+)\s+(\d+|0x[0-9a-f]+)\s+(\S+)\s+\S+\s+"
                             r"\S+\s+(\d+)\s*(\S*)", line)
            if not found or found[4] not in section:
                continue
            name = section[found[4]] if found[3] == "SECTION" else found[5]
            place = Place(section[found[4]], int(found[1], 16))
            self.symbols[name] = place
            if found[3] == "FUNC" and int(found[2], 0):
                self.functions[place.section].append(
                    Function(place.address, int(found[2], 0), name))

    def read_instructions(self, path):
        section = None
        # with -w a relocation is in the line of its instruction
        for line in lines_of("objdump", "-drw", "--no-show-raw-insn", path):
            if found := re.match(r"Disassembly of section (\S+):", line):
                section = found[1]
            elif found := re.match(r"\s*([0-9a-f]+):\s+(\S.*?)\s*$", line):
                text = found[2]
                relocation = re.search(r"\s+[0-9a-f]+:\s+R_X86_64_\w+\s+(\S+?)"
                                       r"([-+]0x[0-9a-f]+)?$", text)
                if relocation:
                    text = text[:relocation.start()]
                    relocation = relocation[1], int(relocation[2] or "0", 16)
                self.instructions[section][int(found[1], 16)] = Instruction(
                    re.sub(r"\s+#.*", "", text), relocation)
        for instructions in self.instructions.values():
            addresses = sorted(instructions)
            for address, behind in zip(addresses, addresses[1:]):
                instructions[address].next = behind

    def read_keys(self, path):
        """Three words each: where the key's nop is, where to jump, and the key."""
        words, inside = [], False
        for line in lines_of("readelf", "-rW", path):
            if line.startswith("Relocation section"):
                inside = "__jump_table" in line
            found = re.match(r"([0-9a-f]{8,})\s+\S+\s+\S+\s+\S+\s+(\S+)"
                             r"(?:\s+([-+])\s+([0-9a-f]+))?", line)
            if inside and found:
                addend = int(found[4] or "0", 16)
                words.append((int(found[1], 16), found[2],
                              -addend if found[3] == "-" else addend))
        words.sort()
        for (_, symbol, addend), _, (_, key, _) in zip(*[iter(words)] * 3):
            event = re.match(r"__tracepoint_(\w+)$", key)
            if event and symbol in self.symbols:
                place = self.symbols[symbol]
                self.keys[Place(place.section, place.address + addend)] = event[1]

    def function_at(self, place):
        for function in self.functions[place.section]:
            if function.start <= place.address < function.start + function.size:
                return function
        return None

    def jump_target(self, section, instruction):
        """Where it jumps to, or None for another function's."""
        if instruction.relocation:
            symbol, addend = instruction.relocation
            place = self.symbols.get(symbol)
            return place and Place(place.section, place.address + addend + 4)
        found = re.match(r"\S+\s+([0-9a-f]+)\b", instruction.text)
        return found and Place(section, int(found[1], 16))


class Reach:
    """The code of a function and its clones that can be reached with tracepoints off."""

    def __init__(self, code, name):
        self.mnemonics = collections.Counter()
        self.events = collections.Counter()
        self.code, self.name = code, name
        self.seen = set()
        self.todo = [Place(section, function.start)
                     for section, functions in code.functions.items()
                     for function in functions
                     if stem(function.name) == name and
                     not re.search(r"\.cold\b", function.name)]
        self.found = bool(self.todo)
        while self.todo:
            self.follow(self.todo.pop())

    def follow(self, place):
        while place.address is not None and place not in self.seen:
            function = self.code.function_at(place)
            instruction = self.code.instructions[place.section].get(place.address)
            if not function or not instruction or stem(function.name) != self.name:
                return
            self.seen.add(place)
            if place in self.code.keys:
                self.events[self.code.keys[place]] += 1
            elif not PADDING.match(instruction.text) and self.count(place.section, instruction):
                return
            place = Place(place.section, instruction.next)

    def count(self, section, instruction):
        """Counts one; does the code behind it belong to something else?"""
        what = re.match(PREFIX + r"(\S+)", instruction.text)[1]
        if re.match(r"j(?!mp)", what):
            what = "jcc"
        what = re.sub(r"^(cmov|set).*", r"\1", what)
        self.mnemonics[what] += 1
        if what in ("jcc", "jmp"):
            target = self.code.jump_target(section, instruction)
            if target:
                self.todo.append(target)
        return re.match(r"jmp|ret|iret", what)


def changes(old, new):
    found = [f"{new[what] - old[what]:+d} {what}"
             for what in sorted(old.keys() | new.keys()) if new[what] != old[what]]
    return ", ".join(found) or "-"


def main():
    if len(sys.argv) < 5:
        sys.exit("usage: offcost.py OBJECT WITHOUT.o WITH.o EVENT...")
    name, events = sys.argv[1], set(sys.argv[4:])
    old, new = Object(sys.argv[2]), Object(sys.argv[3])
    hooked = {stem(function.name) for place, event in new.keys.items() if event in events
              if (function := new.function_at(place))}
    for function in sorted(hooked):
        without, with_keys = Reach(old, function), Reach(new, function)
        passed = sorted(events & with_keys.events.keys())
        print(name, function, " ".join(passed),
              sum(with_keys.events[event] - without.events[event] for event in passed),
              without.mnemonics.total() if without.found else "?",
              with_keys.mnemonics.total(),
              changes(without.mnemonics, with_keys.mnemonics) if without.found else "?",
              sep="\t")


main()
