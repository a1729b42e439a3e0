// SPDX-License-Identifier: GPL-2.0
//
// grtrace-merge: the program.
#include "lib/options/word_program.h"
#include "words/merge/merge_main.h"
#include "words/merge/merge_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"merge", "join what was recorded side by side",
				  merge_main,
				  grtrace::MergeOptions::help_text},
				 argc, argv);
}
