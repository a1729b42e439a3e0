// SPDX-License-Identifier: GPL-2.0
//
// grtrace-tracefs: the program, which `grtrace record` runs where the module is not
// loaded. Its options are record's.
#include <string>
#include <vector>

#include "drive/options/capture_words.h"
#include "lib/text/print_to.h"
#include "words/program/word_program.h"
#include "words/tracefs/trace_record.h"

using namespace grtrace;

static int tracefs_main(int argc, char **argv)
{
	const std::vector<std::string> args(argv + 1, argv + argc);
	CaptureOptions options;
	Status status = parse_capture_options(Word::record, args, &options);

	if (!status.ok()) {
		print_to(stderr, "grtrace record: {}\n{}", status.sentence(),
			 capture_usage(Word::record));
		return 2;
	}
	if (options.help) {
		print_to(stdout, "{}", capture_help(Word::record));
		return 0;
	}
	return trace_record_main(options);
}

int main(int argc, char **argv)
{
	return run_word("tracefs", tracefs_main, argc, argv);
}
