// SPDX-License-Identifier: GPL-2.0
//
// grtrace-export: the program.
#include "lib/options/word_program.h"
#include "words/export/export_main.h"
#include "words/export/export_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"export", "write captures in the formats of other programs",
				  export_main,
				  grtrace::ExportOptions::help_text},
				 argc, argv);
}
