// SPDX-License-Identifier: GPL-2.0
#include "words/status/status_options.h"

#include "lib/options/word_options.h"
#include "words/session/session_options.h"
#include "words/status/view_table.h"

namespace grtrace {

using Word = WordOption<StatusOptions>;

static const Word table[] = {
	{0, "json", nullptr, "print JSON", &StatusOptions::json},
	{0, "view", "VIEW",
	 "one of the kernel's tables: latency_hist, size_hist, result_hist, sec_stats, pc_stats, "
	 "pc_cseq, events_by_type, rings",
	 &StatusOptions::view},
	{0, "csv", nullptr, "print the view as the kernel has it", &StatusOptions::csv},
	relay_option<StatusOptions>,
	version_option<StatusOptions>,
	blktrace_version_option<StatusOptions>,
	help_option<StatusOptions>,
};

std::string StatusOptions::help_text()
{
	return fmt::format("Usage: grtrace status [--json | --view VIEW [--csv]]\n\n"
			   "Show the state, the configuration where it is not the default,\n"
			   "the counters and whether they add up, and the rings.\n\n"
			   "Options:\n{}\nExit: 0 done, 1 error, 2 usage.\n",
			   describe_options(table));
}

Status StatusOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this, [](const GivenOption &given) {
		return Status::error("what is '{}'? status takes only options", given.argument);
	});

	if (status.ok() && !view.empty() && !find_view(view))
		return Status::error("--view: '{}' is not a view; there are: {}", view,
				     view_names());
	return status;
}

} // namespace grtrace
