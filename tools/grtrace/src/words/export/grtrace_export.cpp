// SPDX-License-Identifier: GPL-2.0
//
// grtrace-export: the program.
#include "lib/options/word_program.h"
#include "words/export/export_main.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("export", export_main, argc, argv);
}
