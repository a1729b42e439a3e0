// SPDX-License-Identifier: GPL-2.0
#include "drive/run/kprobe_events.h"

#include <cerrno>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "lib/files/fd.h"
#include "lib/run/process_mark.h"
#include "lib/text/words_of.h"

namespace grtrace {

static constexpr const char *kprobe_events = "/sys/kernel/tracing/kprobe_events";

// Names of other programs have no such word.
static constexpr std::string_view infix = "_grtrace_";

int write_kprobe_event(const std::string &line)
{
	const Fd file(open(kprobe_events, O_WRONLY | O_APPEND | O_CLOEXEC));

	if (!file.is_open() || write(file.get(), line.data(), line.size()) < 0)
		return errno;
	return 0;
}

std::string kprobe_name(std::string_view event)
{
	return fmt::format("{}{}{}", event, infix, process_mark('_'));
}

// A line is "p:GROUP/NAME FUNCTION ARGUMENTS", or begins with r and a number.
std::vector<std::string> left_kprobes(std::string_view text)
{
	std::vector<std::string> left;

	for (const std::string &line : split(text, '\n')) {
		const size_t begin = line.find(':') + 1;
		const std::string name = line.substr(begin, line.find(' ', begin) - begin);
		const size_t at = name.rfind(infix);

		if (begin && at != name.npos &&
		    is_mark_of_gone(std::string_view(name).substr(at + infix.size()), '_'))
			left.push_back(name);
	}
	return left;
}

void remove_left_kprobes()
{
	std::ifstream file(kprobe_events);
	const std::string text{std::istreambuf_iterator<char>(file), {}};

	for (const std::string &name : left_kprobes(text))
		write_kprobe_event("-:" + name + "\n");
}

} // namespace grtrace
