// SPDX-License-Identifier: GPL-2.0
//
// grtrace-timeline: the program.
#include "words/program/word_program.h"
#include "words/timeline/timeline_main.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("timeline", timeline_main, argc, argv);
}
