// SPDX-License-Identifier: GPL-2.0
//
// grtrace-timeline: the program.
#include "lib/options/word_program.h"
#include "words/timeline/timeline_main.h"
#include "words/timeline/timeline_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"timeline", "draw jobs over time in a terminal",
				  timeline_main,
				  grtrace::TimelineOptions::help_text},
				 argc, argv);
}
