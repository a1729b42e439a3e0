// SPDX-License-Identifier: GPL-2.0
//
// grtrace-annotate: the program.
#include "lib/options/word_program.h"
#include "words/annotate/annotate_main.h"
#include "words/annotate/annotate_options.h"

int main(int argc, char **argv)
{
	return grtrace::run_word({"annotate", "record DRM ioctls and waits by BPF",
				  annotate_main,
				  grtrace::AnnotateOptions::help_text},
				 argc, argv);
}
