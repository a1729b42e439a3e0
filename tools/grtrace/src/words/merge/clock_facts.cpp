// SPDX-License-Identifier: GPL-2.0
#include "words/merge/clock_facts.h"

#include <charconv>

namespace grtrace {

const char *clock_name(ClockId id)
{
	static const char *const names[] = {"mono", "boot", "tai", "real", "mono_raw", "other"};

	return names[static_cast<size_t>(id)];
}

ClockId clock_of_stream(uint32_t clock)
{
	switch (clock) {
	case GRTRACE_CLOCK_MONOTONIC:
		return ClockId::monotonic;
	case GRTRACE_CLOCK_BOOTTIME:
		return ClockId::boot;
	}
	return ClockId::other;
}

ClockId clock_of_name(std::string_view name)
{
	static const struct {
		std::string_view name;
		ClockId id;
	} known[] = {
		{"mono", ClockId::monotonic},    {"monotonic", ClockId::monotonic},
		{"boot", ClockId::boot},         {"boottime", ClockId::boot},
		{"tai", ClockId::tai},           {"real", ClockId::real},
		{"realtime", ClockId::real},     {"mono_raw", ClockId::raw},
		{"monotonic_raw", ClockId::raw},
	};

	for (const auto &clock : known)
		if (clock.name == name)
			return clock.id;
	return ClockId::other;
}

// The kernel reads the two clocks one after the other, and so does perf.
static constexpr uint64_t read_slack_ns = 1000;

// Differences of hostile times may wrap, so they are computed without a sign.
static int64_t by_wall_clock(const ClockFacts &base, const ClockFacts &other)
{
	return static_cast<int64_t>((other.real - other.ts) - (base.real - base.ts));
}

bool read_clock_mark(std::string_view text, ClockMark &mark)
{
	static constexpr std::string_view names[] = {" mono=", " boot=", " tai="};
	const size_t begin = text.find("grtrace_sync ");

	if (begin == text.npos)
		return false;
	text.remove_prefix(begin);
	for (size_t i = 0; i < std::size(names); i++) {
		const size_t at = text.find(names[i]);

		if (at == text.npos)
			return false;
		const std::string_view value = text.substr(at + names[i].size());
		if (std::from_chars(value.data(), value.data() + value.size(), mark.clocks[i]).ec !=
		    std::errc())
			return false;
	}
	return true;
}

// A mark's event is later than the clock that its line has, and earlier than that of the
// next one. The closest two give the offset.
static bool by_marks(const ClockFacts &base, const ClockFacts &other, ClockOffset &offset)
{
	const size_t id = static_cast<size_t>(base.id);
	bool found = false;

	if (id >= std::size(ClockMark().clocks))
		return false;
	for (size_t i = 0; i + 1 < other.marks.size(); i++) {
		const ClockMark &mark = other.marks[i];
		const uint64_t apart = other.marks[i + 1].clocks[id] - mark.clocks[id];

		if (found && apart / 2 >= offset.uncertainty_ns)
			continue;
		found = true;
		offset.ns = static_cast<int64_t>(mark.clocks[id] - mark.ts + apart / 2);
		offset.uncertainty_ns = apart / 2;
	}
	if (found)
		offset.how = "by the marks that record wrote into the trace";
	return found;
}

Status offset_between(const ClockFacts &base, const ClockFacts &other, bool apart,
		      ClockOffset &offset)
{
	const bool both_tell = base.has_boot() && other.has_boot();
	const bool same_boot = both_tell && base.boot_id == other.boot_id;
	const bool two_boots = both_tell ? !same_boot : apart;

	offset = {};
	if (base.id == other.id && base.id != ClockId::other && same_boot) {
		offset.how = "the same clock of the same boot";
		return {};
	}
	if (base.id == other.id && base.id != ClockId::other && !two_boots) {
		offset.how = "the same clock; assumed to be of the same boot, because one of the "
			     "files does not name its boot";
		return {};
	}
	if (!two_boots && by_marks(base, other, offset))
		return {};
	if (base.has_real && other.has_real) {
		offset.ns = by_wall_clock(base, other);
		offset.uncertainty_ns = two_boots ? ClockOffset::not_known : 2 * read_slack_ns;
		offset.how = two_boots ? "by the wall clocks of two machines or boots, as exact as "
					 "those were set" :
					 "by the wall clock, if it was not set between the two";
		return {};
	}
	if (other.said.empty() || other.said == clock_name(ClockId::other))
		return Status::error("it does not say which clock its time stamps use");
	return Status::error("its clock \"{}\" has nothing in common with {}", other.said,
			     clock_name(base.id));
}

} // namespace grtrace
