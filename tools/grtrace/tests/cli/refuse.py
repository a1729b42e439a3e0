#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Runs a program some of whose system calls the kernel refuses: what a disk, a file system
or a device does that no test has.

Usage: refuse.py CALL TEST ERROR PROGRAM ARGUMENT...

	CALL   a system call, e.g. write; write#3: only the third one that passes the test,
	       write#3+: and all after it
	TEST   which of them: arg2>=1000 or arg2&0x400000 (numbers of arguments from 0 on), or
	       any; only the lower half of an argument counts
	ERROR  e.g. EIO

A filter of seccomp does it, which the program keeps when it is executed, and which asks this
process where calls are counted. Exit status: that of the program, or 128 and the number of the
signal that ended it; 77 where a filter cannot be set.
"""
import ctypes
import errno
import fcntl
import os
import platform
import re
import select
import socket
import struct
import sys

NUMBERS = {
	'x86_64': {'read': 0, 'write': 1, 'poll': 7, 'mmap': 9, 'pread64': 17, 'pwrite64': 18, 'writev': 20,
		   'socketpair': 53, 'clone': 56, 'fsync': 74, 'fdatasync': 75, 'ftruncate': 77, 'rename': 82, 'mkdir': 83,
		   'unlink': 87, 'openat': 257, 'linkat': 265, 'signalfd4': 289, 'eventfd2': 290, 'pipe2': 293,
		   'seccomp': 317, 'memfd_create': 319, 'clone3': 435},
	'aarch64': {'read': 63, 'write': 64, 'openat': 56, 'linkat': 37, 'clone3': 435, 'signalfd4': 74, 'eventfd2': 19,
		    'socketpair': 199, 'ftruncate': 46, 'mmap': 222, 'pread64': 67, 'pwrite64': 68, 'writev': 66,
		    'clone': 220, 'fsync': 82, 'fdatasync': 83, 'pipe2': 59, 'seccomp': 277, 'memfd_create': 279},
}[platform.machine()]
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, ASK = 0x7fff0000, 0x00050000, 0x7fc00000
PR_SET_NO_NEW_PRIVS, SET_MODE_FILTER, NEW_LISTENER = 38, 1, 8
# A call that waits for an answer, and the answer: seccomp_notif and seccomp_notif_resp.
RECEIVE, SEND, NOTIF_BYTES, CONTINUE = 0xc0502100, 0xc0182101, 80, 1


def instructions(call, test, verdict):
	"""The filter: it looks at the number of the call first, then at its argument."""
	found = re.fullmatch(r'arg(\d)(>=|==|&)(\w+)', test)
	if not found and test != 'any':
		sys.exit(f'refuse.py: {test}: not argN>=V, argN==V, argN&V or any')
	refuse = [(RETURN, 0, 0, verdict), (RETURN, 0, 0, ALLOW)]
	head = [(LOAD, 0, 0, 0)]  # number of the call
	if not found:
		return head + [(EQUAL, 0, 1, call)] + refuse
	number, how, value = int(found[1]), found[2], int(found[3], 0)
	jump = {'>=': AT_LEAST, '==': EQUAL, '&': ANY_BIT}[how]
	return head + [(EQUAL, 0, 3, call), (LOAD, 0, 0, 16 + 8 * number), (jump, 0, 1, value)] + refuse


def set_filter(filters, flags):
	"""Returns the descriptor at which calls are answered, if flags ask for one."""
	code = b''.join(struct.pack('HBBI', *one) for one in filters)
	block = ctypes.create_string_buffer(code, len(code))
	program = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(filters), ctypes.addressof(block)))
	libc = ctypes.CDLL(None, use_errno=True)
	got = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
		libc.syscall(NUMBERS['seccomp'], SET_MODE_FILTER, flags, program)
	if got < 0:
		print(f'refuse.py: {os.strerror(ctypes.get_errno())}', file=sys.stderr)
		sys.stderr.flush()
		os._exit(77)
	return got


def answer(listener, error, refused, ended):
	"""Refuses calls whose numbers are refused until the program has ended; returns how many calls there were."""
	count = 0
	poll = select.poll()
	poll.register(listener, select.POLLIN)
	poll.register(ended, select.POLLIN)
	while True:
		ready = dict(poll.poll())
		if not ready.get(listener, 0) & select.POLLIN:
			return count
		asked = bytearray(NOTIF_BYTES)
		try:
			fcntl.ioctl(listener, RECEIVE, asked)
			count += 1
			refuse = count in refused
			fcntl.ioctl(listener, SEND, bytearray(struct.pack('QqiI', struct.unpack_from('Q', asked)[0], 0,
									  -error if refuse else 0, 0 if refuse else CONTINUE)))
		except FileNotFoundError:
			pass  # a signal has ended the call


def run_counted(call, test, error, refused, words, **streams):
	"""Runs it, and returns its exit status and how many such calls it made."""
	ours, theirs = socket.socketpair()
	child = os.fork()
	if not child:
		for number, path in streams.get('files', {}).items():
			os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
		if 'cwd' in streams:
			os.chdir(streams['cwd'])
		filters = instructions(call, test, ASK)
		socket.send_fds(theirs, [b'x'], [set_filter(filters, NEW_LISTENER)])
		try:
			os.execvp(words[0], words)
		except OSError as failed:
			print(f'refuse.py: {words[0]}: {failed.strerror}', file=sys.stderr)
			sys.stderr.flush()
		os._exit(127)
	theirs.close()
	listeners = socket.recv_fds(ours, 1, 1)[1]
	ours.close()
	ended = os.pidfd_open(child)
	count = answer(listeners[0], error, refused, ended) if listeners else 0
	for one in listeners + [ended]:
		os.close(one)
	status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
	return status if status >= 0 else 128 - status, count


def main():
	name, test, error, *words = sys.argv[1:]
	name, _, nth = name.partition('#')
	error = getattr(errno, error)
	if nth:
		first = int(nth.rstrip('+'))
		refused = range(first, sys.maxsize if nth.endswith('+') else first + 1)
		sys.exit(run_counted(NUMBERS[name], test, error, refused, words)[0])
	set_filter(instructions(NUMBERS[name], test, REFUSE | error), 0)
	os.execvp(words[0], words)


if __name__ == '__main__':
	main()
