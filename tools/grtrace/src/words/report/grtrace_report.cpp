// SPDX-License-Identifier: GPL-2.0
//
// grtrace-report: the program.
#include "words/program/word_program.h"
#include "words/report/report_main.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("report", report_main, argc, argv);
}
