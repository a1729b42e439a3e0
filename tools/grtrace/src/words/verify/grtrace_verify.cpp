// SPDX-License-Identifier: GPL-2.0
//
// grtrace-verify: the program.
#include "words/program/word_program.h"
#include "words/verify/verify_main.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("verify", verify_main, argc, argv);
}
