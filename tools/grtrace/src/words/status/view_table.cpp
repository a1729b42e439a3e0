// SPDX-License-Identifier: GPL-2.0
#include "words/status/view_table.h"

#include <fmt/format.h>

namespace grtrace {

static constexpr View views[] = {
	{"latency_hist", Shape::bounds, "ns", "hooks, by the time they took",
	 "nothing was measured: grtrace config profile=1 turns it on"},
	{"size_hist", Shape::bounds, "bytes", "records written, by size", "nothing was written"},
	{"result_hist", Shape::rows, "", "events offered, by their outcome", "nothing was offered"},
	{"sec_stats", Shape::table, "", "", ""},
	{"pc_stats", Shape::table, "", "", ""},
	{"pc_cseq", Shape::table, "", "", ""},
	{"events_by_type", Shape::table, "", "", ""},
	{"rings", Shape::table, "", "", ""},
};

const View *find_view(const std::string &name)
{
	for (const View &view : views) {
		if (name == view.name)
			return &view;
	}
	return nullptr;
}

std::string view_names()
{
	std::string names;

	for (const View &view : views)
		names += fmt::format("{}{}", names.empty() ? "" : ", ", view.name);
	return names;
}

} // namespace grtrace
