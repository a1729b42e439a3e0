// SPDX-License-Identifier: GPL-2.0
//
// grtrace-diff: the program.
#include "lib/options/word_program.h"
#include "words/diff/diff_main.h"
#include "words/diff/diff_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"diff", "compare two captures",
				  diff_main,
				  grtrace::DiffOptions::help_text},
				 argc, argv);
}
