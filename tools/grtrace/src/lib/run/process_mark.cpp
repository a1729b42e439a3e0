// SPDX-License-Identifier: GPL-2.0
#include "lib/run/process_mark.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "lib/text/words_of.h"

namespace grtrace {

// Returns when a process began, in ticks since boot; 0 if there is none.
static uint64_t start_of(uint64_t pid)
{
	FILE *file = fopen(fmt::format("/proc/{}/stat", pid).c_str(), "re");
	char line[1024] = "";
	uint64_t start = 0;

	if (!file)
		return 0;
	if (fgets(line, sizeof(line), file)) {
		// The name is in brackets, and may contain any characters.
		const char *rest = strrchr(line, ')');
		const std::vector<std::string> words = split(rest ? rest + 1 : "", ' ');

		if (words.size() > 20)
			parse_id(words[20], UINT64_MAX, start);
	}
	fclose(file);
	return start;
}

std::string process_mark(char between)
{
	return fmt::format("{}{}{}", getpid(), between, start_of(uint64_t(getpid())));
}

bool is_mark_of_gone(std::string_view text, char between)
{
	const std::vector<std::string> words = split(text, between);
	uint64_t pid, start;

	return words.size() == 2 && parse_id(words[0], UINT32_MAX, pid) &&
	       parse_id(words[1], UINT64_MAX, start) && start_of(pid) != start;
}

} // namespace grtrace
