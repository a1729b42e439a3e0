// SPDX-License-Identifier: GPL-2.0
//
// grtrace-import: the program.
#include "words/import/import_main.h"
#include "words/program/word_program.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("import", import_main, argc, argv);
}
