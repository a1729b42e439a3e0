// SPDX-License-Identifier: GPL-2.0
//
// grtrace-annotate: the program.
#include "words/annotate/annotate_main.h"
#include "words/program/word_program.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("annotate", annotate_main, argc, argv);
}
