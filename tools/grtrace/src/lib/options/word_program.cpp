// SPDX-License-Identifier: GPL-2.0
#include "lib/options/word_program.h"

#include <cstdio>
#include <string_view>
#include <vector>

#include "lib/options/man_page.h"
#include "lib/text/print_to.h"

namespace grtrace {

static std::string man_page(const WordProgram &word)
{
	ManPage page(std::string("grtrace-") + word.name, word.what);

	page.section("DESCRIPTION");
	page.help(word.help());
	page.see_also("grtrace(1), grparse(1)");
	return page.text();
}

int run_word(const WordProgram &word, int argc, char **argv)
{
	int code = 0;

	if (argc == 2 && std::string_view(argv[1]) == "--man") {
		print_to(stdout, "{}", man_page(word));
	} else {
		// Messages begin with "grtrace" and the word, however it was
		// started.
		std::string name = word.name;
		std::vector<char *> args(argv, argv + argc);

		if (args.empty())
			args.push_back(nullptr);
		args[0] = name.data();
		args.push_back(nullptr);
		code = word.main(static_cast<int>(args.size()) - 1,
				 args.data());
	}
	return stdout_taken((std::string("grtrace ") + word.name).c_str(),
			    code);
}

} // namespace grtrace
