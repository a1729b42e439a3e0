// SPDX-License-Identifier: GPL-2.0
//
// grtrace-monitor: the program.
#include "words/monitor/monitor_main.h"
#include "words/program/word_program.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("monitor", monitor_main, argc, argv);
}
