// SPDX-License-Identifier: GPL-2.0
//
// grtrace-verify: the program.
#include "lib/options/word_program.h"
#include "words/verify/verify_main.h"
#include "words/verify/verify_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"verify", "check whether a capture is whole and right",
				  verify_main,
				  grtrace::VerifyOptions::help_text},
				 argc, argv);
}
