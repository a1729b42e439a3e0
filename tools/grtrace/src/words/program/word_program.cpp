// SPDX-License-Identifier: GPL-2.0
#include "words/program/word_program.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lib/text/print_to.h"

namespace grtrace {

int run_word(const char *word, int (*run)(int argc, char **argv), int argc, char **argv)
{
	std::string name = word;
	// A program may be started without a name; a nullptr follows the last argument.
	const int count = std::max(argc, 1);
	std::vector<char *> args(static_cast<size_t>(count) + 1);

	std::copy_n(argv, argc, args.begin());
	args[0] = name.data();
	const int code = run(count, args.data());

	return stdout_taken(("grtrace " + name).c_str(), code);
}

} // namespace grtrace
