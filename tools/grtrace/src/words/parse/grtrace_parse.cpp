// SPDX-License-Identifier: GPL-2.0
//
// grtrace-parse: grparse with all of its options. grparse runs it where it has to.
#include "grparse/grparse_run.h"
#include "words/parse/parse_options.h"

int main(int argc, char **argv)
{
	return grtrace::grparse_main<grtrace::ParseOptions>(argc, argv);
}
