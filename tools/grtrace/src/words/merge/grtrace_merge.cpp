// SPDX-License-Identifier: GPL-2.0
//
// grtrace-merge: the program.
#include "words/merge/merge_main.h"
#include "words/program/word_program.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("merge", merge_main, argc, argv);
}
