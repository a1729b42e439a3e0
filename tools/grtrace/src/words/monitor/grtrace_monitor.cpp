// SPDX-License-Identifier: GPL-2.0
//
// grtrace-monitor: the program.
#include "lib/options/word_program.h"
#include "words/monitor/monitor_main.h"
#include "words/monitor/monitor_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"monitor", "watch GPU work as it happens",
				  monitor_main,
				  grtrace::MonitorOptions::help_text},
				 argc, argv);
}
