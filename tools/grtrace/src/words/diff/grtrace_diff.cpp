// SPDX-License-Identifier: GPL-2.0
//
// grtrace-diff: the program.
#include "words/diff/diff_main.h"
#include "words/program/word_program.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("diff", diff_main, argc, argv);
}
