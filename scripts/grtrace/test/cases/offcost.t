#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the counts of bench/offcost.py on objects that are assembled for this,
# without and with a key.
. "$(dirname "$0")/../../lib/use.sh" result
set +e

# object FILE BODY: BODY is a function f that ends by itself. KEY stands for the
# nop of a tracepoint that is off, whose code begins at the label 9.
object() {
	{
		printf '.text\n.globl f\n.type f,@function\nf:\n'
		printf '%b\n' "${2//KEY/$'1: .byte 0x0f,0x1f,0x44,0x00,0x00\n.pushsection __jump_table,"aw"\n.long 1b - ., 9f - .\n.quad __tracepoint_ev + 8 - .\n.popsection\n'}"
		# what an assembler does to reach the next function
		printf '.size f, .-f\n.p2align 6\n.globl g\n.type g,@function\ng: ret\n.size g, .-g\n'
	} | as --64 -o "$1" -
}

# counts NAME WANTED WITHOUT WITH: nops, instructions of both, and the changes.
counts() {
	object "$work/without.o" "$3"
	object "$work/with.o" "$4"
	equal "$1" "$(printf '%b' "$2")" "$(python3 -B "$here/bench/offcost.py" o "$work/without.o" "$work/with.o" ev | cut -f4-)"
}

bare='mov %rdi,%rax\nret'
counts no_key '' "$bare" "$bare"
counts nop_alone '1\t2\t2\t-' "$bare" 'mov %rdi,%rax\nKEY\n2: ret\n9: push %rax\ncall h\npop %rax\njmp 2b'
counts cold_section '1\t2\t2\t-' "$bare" \
	'mov %rdi,%rax\nKEY\n2: ret\n.section .text.unlikely,"ax"\n.type f.cold,@function\nf.cold:\n9: call h\njmp 2b\n.size f.cold,.-f.cold\n.text'
counts register_is_saved '1\t2\t4\t+1 pop, +1 push' "$bare" \
	'push %rbx\nmov %rdi,%rax\nKEY\n2: pop %rbx\nret\n9: call h\njmp 2b'
counts argument_before_the_key '1\t2\t3\t+1 mov' "$bare" 'mov %rdi,%rax\nmov (%rdi),%rsi\nKEY\n2: ret\n9: call h\njmp 2b'
counts two_keys '2\t2\t2\t-' "$bare" 'KEY\n2: mov %rdi,%rax\nKEY\n3: ret\n9: jmp 2b'
counts key_known_before '1\t2\t2\t-' 'mov %rdi,%rax\nKEY\n2: ret\n9: call h\njmp 2b' \
	'mov %rdi,%rax\nKEY\n2: KEY\n3: ret\n9: call h\njmp 3b'
# the other side of the branch, and a block that moved behind the return
counts branch_turned_around '1\t5\t5\t-' 'test %rdi,%rdi\nje 5f\nmov %rdi,%rax\nret\n5: ret' \
	'test %rdi,%rdi\njne 4f\nKEY\n5: ret\n4: mov %rdi,%rax\nret\n9: call h\njmp 5b'
counts alignment_is_nothing '1\t3\t3\t-' 'mov %rdi,%rax\n.p2align 5\n3: jne 3b\nret' \
	'mov %rdi,%rax\nKEY\n2: .p2align 4\n3: jne 3b\nret\n9: call h\njmp 2b'
plan
