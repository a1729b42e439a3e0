#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Runs a program some of whose system calls the kernel refuses: what a disk, a file system
# or a device does that no test has.
#
# Usage: refuse.py CALL TEST ERROR PROGRAM ARGUMENT...
#
#	CALL   a system call, e.g. write
#	TEST   which of them: arg2>=1000 or arg2&0x400000 (numbers of arguments from 0 on), or
#	       any; only the lower half of an argument counts
#	ERROR  e.g. EIO
#
# A filter of seccomp does it, which the program keeps when it is executed. Exit status: that
# of the program; 77 where a filter cannot be set.
import ctypes
import errno
import os
import platform
import re
import struct
import sys

NUMBERS = {
	'x86_64': {'read': 0, 'write': 1, 'openat': 257, 'linkat': 265, 'clone3': 435, 'signalfd4': 289,
		   'socketpair': 53, 'unlink': 87, 'ftruncate': 77, 'mmap': 9, 'pwrite64': 18, 'fsync': 74},
	'aarch64': {'read': 63, 'write': 64, 'openat': 56, 'linkat': 37, 'clone3': 435, 'signalfd4': 74,
		    'socketpair': 199, 'unlink': 35, 'ftruncate': 46, 'mmap': 222, 'pwrite64': 68, 'fsync': 82},
}
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7fff0000, 0x00050000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, MODE_FILTER = 22, 38, 2


def instructions(call, test, error):
	"""Which system call it is, then its argument."""
	found = re.fullmatch(r'arg(\d)(>=|==|&)(\w+)', test)
	if not found and test != 'any':
		sys.exit(f'refuse.py: {test}: not argN>=V, argN==V, argN&V or any')
	refuse = [(RETURN, 0, 0, REFUSE | error), (RETURN, 0, 0, ALLOW)]
	head = [(LOAD, 0, 0, 0)]  # number of the call
	if not found:
		return head + [(EQUAL, 0, 1, call)] + refuse
	number, how, value = int(found[1]), found[2], int(found[3], 0)
	jump = {'>=': AT_LEAST, '==': EQUAL, '&': ANY_BIT}[how]
	return head + [(EQUAL, 0, 3, call), (LOAD, 0, 0, 16 + 8 * number), (jump, 0, 1, value)] + refuse


def main():
	name, test, error, *words = sys.argv[1:]
	filters = instructions(NUMBERS[platform.machine()][name], test, getattr(errno, error))
	code = b''.join(struct.pack('HBBI', *one) for one in filters)
	block = ctypes.create_string_buffer(code, len(code))
	program = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(filters), ctypes.addressof(block)))
	libc = ctypes.CDLL(None, use_errno=True)
	if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, MODE_FILTER, program, 0, 0):
		print(f'refuse.py: {os.strerror(ctypes.get_errno())}', file=sys.stderr)
		sys.exit(77)
	os.execvp(words[0], words)


main()
