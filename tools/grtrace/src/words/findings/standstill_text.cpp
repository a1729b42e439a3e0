// SPDX-License-Identifier: GPL-2.0
#include "words/findings/standstill_text.h"

#include <fmt/format.h>

#include "read/capture/losses.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

std::string short_time(uint64_t ns)
{
	static constexpr struct {
		double unit;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
	const double value = static_cast<double>(ns);

	for (const auto &unit : units) {
		const double part = value / unit.unit;

		// 999.6 us is 1 ms, with three digits.
		if (part >= 0.9995)
			return fmt::format("{:.{}f} {}", part,
					   part < 9.995 ? 2 :
					   part < 99.95 ? 1 :
							  0,
					   unit.name);
	}
	return fmt::format("{} ns", ns);
}

std::string process_text(const WaitCauses &causes, uint32_t number)
{
	if (number < ProcessList::nr_special)
		return "a process that no record names";

	const DelayProcess process = causes.process(number);
	return process.comm.empty() ? fmt::format("process {}", process.tgid) :
				      fmt::format("{} ({})", process.comm, process.tgid);
}

std::string ring_text(const Session &session, uint32_t id)
{
	const Ring &own = session.rings.find(id);

	if (!own.known)
		return ring_title(session, id);
	bool is_only = true;
	session.rings.each(
		[&](const Ring &other) { is_only &= other.id == id || other.name != own.name; });
	return is_only ? own.name : ring_title(session, id);
}

int time_digits(uint64_t length)
{
	const uint64_t seconds = length / 1000000000;

	if (seconds >= 1000)
		return seconds < 10000;
	if (seconds)
		return seconds >= 100 ? 2 : 3;
	return length >= 10000000 ? 4 : 6;
}

std::string time_text(const Session &session, uint64_t ts, int digits)
{
	const auto since_start = static_cast<int64_t>(ts - session.start_ts);

	return fmt::format("{:.{}f}", static_cast<double>(since_start) / 1e9, digits);
}

const char *StandstillText::title(const Standstill &one)
{
	switch (one.kind) {
	case Standstill::Kind::on_ring:
		return "Still on the ring";
	case Standstill::Kind::no_response:
		return "No response";
	case Standstill::Kind::blocked:
		return "Still blocked";
	case Standstill::Kind::queued:
		return "Still queued";
	case Standstill::Kind::wait:
		return "Still waiting";
	}
	return "?";
}

static std::string count_of(uint64_t number, const char *one, const char *many)
{
	return fmt::format("{} {}", thousands(number), number == 1 ? one : many);
}

std::string StandstillText::lasted(uint64_t since) const
{
	return short_time(end_ - since);
}

std::string StandstillText::of_process(const Standstill &one) const
{
	return one.one_process && one.process >= ProcessList::nr_special ?
		       " of " + process_text(causes_, one.process) :
		       "";
}

// Returns "fence 999:5 (uvcvideo cam0)".
std::string StandstillText::fence(const Standstill &one) const
{
	const FenceNames *names = session_.fences.find(one.fence_ctx);

	return fmt::format("fence {}:{}{}", one.fence_ctx, one.fence_seqno,
			   names ? fmt::format(" ({} {})", names->driver, names->timeline) : "");
}

std::string StandstillText::since(const Standstill &one) const
{
	return fmt::format("since {} s ({}, still at the end)",
			   time_text(session_, one.since, digits_), lasted(one.since));
}

std::string StandstillText::what(const Standstill &one) const
{
	const std::string job = fmt::format("{}:{}", one.job.ctx, one.job.seqno);
	const std::string ring = ring_text(session_, one.job.ring);
	const char *have = one.jobs == 1 ? "has" : "have";

	switch (one.kind) {
	case Standstill::Kind::on_ring:
		return fmt::format("{}{} has had {} {}", job, of_process(one), ring, since(one));
	case Standstill::Kind::no_response:
		return fmt::format("{}{} on {} {} had no response {}",
				   count_of(one.jobs, "command", "commands"), of_process(one), ring,
				   have, since(one));
	case Standstill::Kind::blocked:
		return fmt::format("{}{} has been blocked by {} {}", job, of_process(one),
				   fence(one), since(one));
	case Standstill::Kind::queued:
		return fmt::format("{}{} on {} {} not been over {}, and no record says what holds "
				   "{}",
				   count_of(one.jobs, "job", "jobs"), of_process(one), ring, have,
				   since(one), one.jobs == 1 ? "it" : "them");
	case Standstill::Kind::wait:
		return fmt::format("{} has waited for {} {}", process_text(causes_, one.process),
				   fence(one), since(one));
	}
	return "";
}

// Where several jobs have the ring, those in its queues wait for any of them.
std::string StandstillText::behind(const Standstill &one) const
{
	const bool many =
		one.kind == Standstill::Kind::no_response || one.kind == Standstill::Kind::queued;
	const bool several = one.kind == Standstill::Kind::on_ring && one.out_of_order;

	if (!one.behind)
		return "";
	return fmt::format(
		"; {}{} {}", count_of(one.behind, "job", "jobs"),
		one.rings.size() > 1 ? fmt::format(" on {} rings", one.rings.size()) : "",
		several         ? (one.behind == 1 ? "waits for that ring" : "wait for that ring") :
		many            ? (one.behind == 1 ? "waits for them" : "wait for them") :
		one.behind == 1 ? "waits behind it" :
				  "wait behind it");
}

std::string StandstillText::tasks(const Standstill &one) const
{
	if (!one.tasks)
		return "";

	const std::string who = process_text(causes_, one.waiter);
	const std::string when =
		fmt::format("since {} s ({})", time_text(session_, one.waits_since, digits_),
			    lasted(one.waits_since));

	if (one.tasks == 1)
		return fmt::format(", and {} has waited for that {}", who, when);
	return fmt::format(", and {} tasks have waited for that, {} {}", thousands(one.tasks), who,
			   when);
}

std::string StandstillText::sentence(const Standstill &one) const
{
	std::string text = what(one) + behind(one) + tasks(one) + ".";

	if (one.none_ended && one.kind == Standstill::Kind::queued)
		text += fmt::format(" No job ended there in the {} of the recording, so what has "
				    "the ring may have begun before it.",
				    lasted(session_.start_ts));
	return text;
}

} // namespace grtrace
