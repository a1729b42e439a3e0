// SPDX-License-Identifier: GPL-2.0
#include "lib/options/word_program.h"

#include <string>
#include <vector>

#include "lib/text/print_to.h"

namespace grtrace {

int run_word(const char *word, int (*run)(int argc, char **argv), int argc, char **argv)
{
	std::string name = word;
	std::vector<char *> args(argv, argv + argc);

	if (args.empty())
		args.push_back(nullptr);
	args[0] = name.data();
	args.push_back(nullptr);
	const int code = run(static_cast<int>(args.size()) - 1, args.data());

	return stdout_taken(("grtrace " + name).c_str(), code);
}

} // namespace grtrace
