// SPDX-License-Identifier: GPL-2.0
//
// grtrace-monitor: the program.
#include "lib/options/word_program.h"
#include "words/monitor/monitor_main.h"

int main(int argc, char **argv)
{
	return grtrace::run_word("monitor", monitor_main, argc, argv);
}
