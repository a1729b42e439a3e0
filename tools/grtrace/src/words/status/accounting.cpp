// SPDX-License-Identifier: GPL-2.0
#include "words/status/accounting.h"

#include <fmt/format.h>

namespace grtrace {

namespace {

struct Reason {
	const char *name; // in `stats`
	bool is_loss;
};

constexpr Reason reasons[] = {
	{"filtered_level", false},     {"filtered_type", false},     {"filtered_engine", false},
	{"filtered_ring", false},      {"filtered_device", false},   {"filtered_watch", false},
	{"sampled_out", false},        {"rate_limited_drops", true}, {"backpressure_drops", true},
	{"writes_reserve_fail", true}, {"writes_oversize", true},    {"writes_nmi", true},
};

} // namespace

uint64_t Accounting::accounted() const
{
	uint64_t sum = written;

	for (const auto &[name, events] : reasons)
		sum += events;
	return sum;
}

Accounting account(const std::vector<NamedText> &stats)
{
	Accounting accounting;

	accounting.offered = named_number(stats, "offered");
	accounting.written = named_number(stats, "written");
	accounting.lost_told = named_number(stats, "lost");
	for (const Reason &reason : reasons) {
		const uint64_t events = named_number(stats, reason.name);

		if (events)
			accounting.reasons.emplace_back(reason.name, events);
		if (reason.is_loss)
			accounting.lost += events;
	}
	return accounting;
}

std::string accounting_text(const Accounting &accounting, bool running)
{
	std::string sum = fmt::format("written {}", accounting.written);
	std::string text;

	for (const auto &[name, events] : accounting.reasons)
		sum += fmt::format(" + {} {}", name, events);
	if (accounting.offered == accounting.accounted())
		text = fmt::format("offered {} = {}\n", accounting.offered, sum);
	else
		text = fmt::format("DOES NOT ADD UP: offered {}, but {} = {}\n", accounting.offered,
				   sum, accounting.accounted());
	if (accounting.lost != accounting.lost_told)
		text += fmt::format("DOES NOT ADD UP: lost {}, but its reasons add up to {}\n",
				    accounting.lost_told, accounting.lost);
	if (running && !accounting.adds_up())
		text += "(a session runs, so some events may be on their way; look again after "
			"grtrace stop)\n";
	return text;
}

} // namespace grtrace
