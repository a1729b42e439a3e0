// SPDX-License-Identifier: GPL-2.0
//
// Notes are rare and read by people: each is a sentence, even that of a type from a later
// kernel.
#include "read/stream/note_text.h"

#include <fmt/format.h>

#include "format/tool_records.h"
#include "format/vocabulary.h"
#include "lib/text/errno_text.h"
#include "lib/text/utf8_text.h"

namespace grtrace {

// Empty unless there is another reason than lack of room.
static std::string loss_reasons(const Lost &lost)
{
	if (!lost.limited && !lost.pressure)
		return {};
	return fmt::format(" ({}: buffer full; {}: rate limit; {}: backpressure)",
			   lost.events - lost.limited - lost.pressure, lost.limited, lost.pressure);
}

static std::string sample_text(const Event &event)
{
	using Sample = grtrace_rec_sample;

	auto jobs = [&](size_t field) -> std::string {
		uint32_t n = load32(event.raw + field);

		return n > 1 ? fmt::format("1 job of {}", n) : "every job";
	};
	uint32_t reason = load32(event.raw + offsetof(Sample, reason));

	return fmt::format("from here {} is recorded, before it was {}: {} ({} % full)",
			   jobs(offsetof(Sample, sample)), jobs(offsetof(Sample, previous)),
			   sample_reason_name(reason), load32(event.raw + offsetof(Sample, fill)));
}

static std::string task_note(const Event &event)
{
	using Task = grtrace_rec_task;

	const uint64_t cgroup = load64(event.raw + offsetof(Task, cgroup));

	return fmt::format(
		"task {} is {} of process {}{}", event.pid,
		printable(text_field(event.raw + offsetof(Task, comm), GRTRACE_COMM_LEN)),
		load32(event.raw + offsetof(Task, tgid)),
		cgroup ? fmt::format(", cgroup {}", cgroup) : "");
}

std::string guilty_text(const Event &error)
{
	const ErrorDetail detail = error_detail_of(error);
	const std::string comm = printable(detail.comm);

	if (!detail.pid)
		return comm;
	return fmt::format("{}:{}", comm.empty() ? "?" : comm, detail.pid);
}

std::string detail_text(const Event &event)
{
	if (event.type == GRTRACE_SYNC_WAIT_EXIT)
		return event.error() ? errno_text(event.error()) : "";
	if (event.type != GRTRACE_ERROR)
		return "";

	const std::string who = guilty_text(event);
	const std::string_view said = error_detail_of(event).text;
	std::string text = who.empty() ? "" : "by " + who;

	if (!said.empty())
		text += fmt::format("{}\"{}\"", text.empty() ? "" : " ", printable(said));
	return text;
}

std::string note_text(const Event &event, const Session &session)
{
	auto seconds = [&](uint64_t ts) {
		return static_cast<double>(static_cast<int64_t>(ts - session.start_ts)) / 1e9;
	};

	switch (event.type) {
	case GRTRACE_MESSAGE:
		return printable(message_of(event));
	case GRTRACE_LOST: {
		Lost lost = lost_of(event);
		return fmt::format(
			"{} records lost here ({} events, {} notes), from {:.9f} to {:.9f}{}",
			lost.records(), lost.events, lost.notes, seconds(lost.first_ts),
			seconds(lost.last_ts), loss_reasons(lost));
	}
	case GRTRACE_SAMPLE:
		return sample_text(event);
	case GRTRACE_IOCTL:
		return fmt::format(
			"{} ioctl {:#x}",
			printable(text_field(event.raw + offsetof(grtrace_rec_ioctl, driver),
					     GRTRACE_DRIVER_LEN)),
			load32(event.raw + offsetof(grtrace_rec_ioctl, cmd)));
	case GRTRACE_RING: {
		const Ring &ring =
			session.rings.find(load32(event.raw + offsetof(grtrace_rec_ring, ring)));
		return fmt::format(
			"ring {} is {} of {} ({}), {}{}{}", ring.id, ring.name, ring.device_name,
			ring.driver, session.class_name(ring.engine_class),
			ring.flags ? ", " + ring_flags_text(ring.flags) : "",
			ring.timeout_ms ? fmt::format(", timeout {} ms", ring.timeout_ms) : "");
	}
	case GRTRACE_TASK:
		return task_note(event);
	case GRTRACE_FENCE_NAME: {
		using Name = grtrace_rec_fence_name;
		return fmt::format("context {} has fences of {} ({})", event.ctx,
				   printable(text_field(event.raw + offsetof(Name, driver),
							GRTRACE_DRIVER_LEN)),
				   printable(text_field(event.raw + offsetof(Name, timeline),
							GRTRACE_NAME_LEN)));
	}
	case GRTRACE_QUEUE: {
		const QueueChange change = queue_of(event);
		std::string text = fmt::format("{} {}", queue_state_name(change.state),
					       queue_reason_name(change.reason));
		if (change.client)
			text += fmt::format(", client {}", change.client);
		return text;
	}
	}
	if (session.event_names.contains(event.type))
		return fmt::format("{}, of type {}, which this program does not know, {} bytes",
				   session.event_name(event.type), event.type, event.size);
	return fmt::format("record of unknown type {}, {} bytes", event.type, event.size);
}

} // namespace grtrace
