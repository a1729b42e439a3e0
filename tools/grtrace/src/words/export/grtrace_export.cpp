// SPDX-License-Identifier: GPL-2.0
//
// grtrace-export: the program.
#include "words/export/export_main.h"
#include "words/program/word_program.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("export", export_main, argc, argv);
}
