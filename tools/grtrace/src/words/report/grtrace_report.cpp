// SPDX-License-Identifier: GPL-2.0
//
// grtrace-report: the program.
#include "lib/options/word_program.h"
#include "words/report/report_main.h"
#include "words/report/report_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"report", "say why GPU work was late",
				  report_main,
				  grtrace::ReportOptions::help_text},
				 argc, argv);
}
