// SPDX-License-Identifier: GPL-2.0
//
// grtrace-merge: the program.
#include "lib/options/word_program.h"
#include "words/merge/merge_main.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("merge", merge_main, argc, argv);
}
