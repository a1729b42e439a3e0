// SPDX-License-Identifier: GPL-2.0
#include "words/status/status_options.h"

#include "lib/options/word_options.h"
#include "words/session/session_options.h"
#include "words/status/view_table.h"

namespace grtrace {

using Word = WordOption<StatusOptions>;

static const Word table[] = {
	option_group<StatusOptions>("Options"),
	{0, "json", nullptr, "print JSON", &StatusOptions::json},
	{0, "view", "VIEW",
	 "one of the kernel's tables: latency_hist, size_hist, result_hist, sec_stats, pc_stats, "
	 "pc_cseq, events_by_type, rings",
	 &StatusOptions::view},
	{0, "csv", nullptr, "print the text of the view unchanged, as CSV", &StatusOptions::csv},
	{0, "cost", nullptr,
	 "print only what the trace costs: rates, the time of writes, drops and the CPU with most "
	 "events; record runs this at its end",
	 &StatusOptions::cost},
	relay_option<StatusOptions>,
	version_option<StatusOptions>,
	blktrace_version_option<StatusOptions>,
	help_option<StatusOptions>,
};

std::string StatusOptions::help_text()
{
	return fmt::format(
		"grtrace status shows the state of the session, the keys that are not at their\n"
		"default, the counters and whether they add up, and the rings.\n"
		"\n"
		"Usage: grtrace status [--json | --view VIEW [--csv] | --cost]\n"
		"\n"
		"{}\n"
		"{}",
		describe_options(table),
		describe_end({{"grtrace status", "the session and its counters"},
			      {"grtrace status --view rings", "the rings that are known"}},
			     {{"0", "done"}, {"1", "an error"}, {"2", "wrong usage"}}));
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
