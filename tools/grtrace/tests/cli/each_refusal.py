#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Refuses one system call of a program after the other, and looks at what the program makes
of each refusal: either nothing is missing from what it wrote, or it fails, its sentence gives
the error, and each file in its directory is as it was or whole.

Usage: each_refusal.py [--cut|--rest] DIRECTORY REFUSALS PROGRAM ARGUMENT...

	--cut     files may end early, as a recording does whose disk is full
	--rest    files may lack what could not be read
	DIRECTORY the program runs in a copy of it; a fake debugfs may be its folder d
	REFUSALS  e.g. openat:any:EMFILE,read:arg2>=65536:EIO; see refuse.py. EINTR comes once, any
		  other error stays.

Prints what was wrong, and at the end how many calls were refused, and how many of the refusals
the program reported.
"""
import errno
import os
import shutil
import sys
import tempfile

import refuse

# A refusal that the dynamic loader reports did not reach the program.
LOADER = b'error while loading shared libraries'
# SQLite has words of its own for that.
FULL = b'database or disk is full'


def contents(directory):
	found = {}
	for place, folders, names in os.walk(directory):
		folders[:] = [name for name in folders if name != 'd']
		for name in names:
			path = os.path.join(place, name)
			with open(path, 'rb') as file:
				found[os.path.relpath(path, directory)] = file.read()
	return found


class Attempt:
	"""One run: what it printed and left, and how many calls there were."""

	def __init__(self, original, refusal, nth, words):
		name, test, error = refusal.split(':')
		self.error = getattr(errno, error)
		refused = range(nth, nth + 1 if error == 'EINTR' or not nth else sys.maxsize)
		with tempfile.TemporaryDirectory() as place:
			directory, out, err = (os.path.join(place, part) for part in ('d', 'out', 'err'))
			shutil.copytree(original, directory, symlinks=True)
			self.status, self.count = refuse.run_counted(
				refuse.NUMBERS[name], test, self.error, refused, words, cwd=directory, files={1: out, 2: err})
			self.files = contents(directory)
			self.out, self.err = (contents(place)[name] for name in ('out', 'err'))

	def changed(self, files):
		return sorted(name for name in self.files.keys() | files if self.files.get(name) != files.get(name))


def judge(attempt, whole, before, leave):
	"""The name of what is wrong, or nothing."""
	if attempt.status > 128:
		return f'ended by signal {attempt.status - 128}'
	if not attempt.status:
		wrong = attempt.changed(whole.files) + ['standard output'] * (attempt.out != whole.out)
		return f'exit 0, but not whole: {", ".join(wrong)}' if wrong else ''
	if LOADER in attempt.err:
		return ''
	said = attempt.err + attempt.out
	if os.strerror(attempt.error).encode() not in said and not (attempt.error == errno.ENOSPC and FULL in said):
		return f'exit {attempt.status} without the reason: {attempt.err.decode(errors="replace").strip()}'
	wrong = []
	for name in attempt.changed(before):
		is_whole, got = whole.files.get(name), attempt.files.get(name)
		if leave != '--rest' and got != is_whole and not (leave == '--cut' and got is not None and is_whole.startswith(got)):
			wrong.append(name)
	return f'half of it is left: {", ".join(wrong)}' if wrong else ''


def main(words):
	leave = words.pop(0) if words[0].startswith('--') else ''
	original, refusals, *program = words
	before = contents(original)
	refused = reported = failed = 0
	for refusal in refusals.split(','):
		whole = Attempt(original, refusal, 0, program)
		if whole.status:
			print(f'it fails without a refusal: {whole.err.decode(errors="replace")}')
			return 1
		for nth in range(1, whole.count + 1):
			attempt = Attempt(original, refusal, nth, program)
			wrong = judge(attempt, whole, before, leave)
			refused += 1
			reported += attempt.status != 0
			if wrong:
				print(f'{refusal} {nth} of {whole.count}: {wrong}')
				failed = 1
	print(f'{refused} refused, {reported} reported')
	return failed


sys.exit(main(sys.argv[1:]))
