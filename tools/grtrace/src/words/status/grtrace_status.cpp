// SPDX-License-Identifier: GPL-2.0
//
// grtrace-status: the program.
#include "lib/options/word_main.h"
#include "words/program/word_program.h"
#include "words/status/status_word.h"

using namespace grtrace;

int main(int argc, char **argv)
{
	return run_word("status", word_main<StatusOptions, StatusRun>, argc, argv);
}
