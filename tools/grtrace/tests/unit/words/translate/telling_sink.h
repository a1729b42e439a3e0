// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "format/vocabulary.h"
#include "words/translate/record_sink.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace grtrace {

// Says what it was given, a line for each event: "0 Q 5:1 ring 1".
class TellingSink : public RecordSink {
public:
	void event(uint32_t cpu, const NewRecord &r) override
	{
		std::string line = fmt::format("{} {} {}:{}", cpu, record_kind(r.type)->letter,
					       r.ctx, r.seqno);

		if (r.ring)
			line += fmt::format(" ring {}", r.ring);
		if (r.has_fence || r.fence_seqno)
			line += fmt::format(" <- {}:{}", r.fence_ctx, r.fence_seqno);
		if (r.arg)
			line += fmt::format(" arg {:#x}", r.arg);
		if (r.answered)
			line += fmt::format(" command {:#x}", r.command);
		if (r.kind)
			line += fmt::format(" kind {} code {:#x}", r.kind, r.code);
		if (r.guilty_pid || !r.guilty_comm.empty() || !r.text.empty())
			line += fmt::format(" by {}:{} \"{}\"", r.guilty_comm, r.guilty_pid,
					    r.text);
		if (r.type == GRTRACE_QUEUE)
			line += fmt::format(" {} {} client {}", queue_state_name(r.state),
					    queue_reason_name(r.reason), r.client);
		if (r.flags)
			line += fmt::format(" flags {:#x}", r.flags);
		lines.push_back(line);
		times.push_back(r.ts);
		last = r;
	}
	void ring(uint32_t cpu, uint64_t, const RingFacts &r) override
	{
		notes.push_back(fmt::format("{} ring {} class {} {} {} {}", cpu, r.id,
					    r.engine_class, r.device, r.driver, r.name));
	}
	void task(uint32_t cpu, uint64_t, const TaskFacts &t) override
	{
		notes.push_back(fmt::format("{} task {} {} {}", cpu, t.pid, t.tgid, t.comm));
	}
	void fence_name(uint32_t cpu, uint64_t, const FenceNameFacts &f) override
	{
		lines.push_back(fmt::format("{} FN {} {} {}", cpu, f.ctx, f.driver, f.timeline));
	}
	void message(uint32_t cpu, uint64_t, uint32_t, std::string_view text) override
	{
		lines.push_back(fmt::format("{} m {}", cpu, text));
	}
	void lost(uint32_t cpu, uint64_t, uint64_t, uint64_t events) override
	{
		lines.push_back(fmt::format("{} lost {}", cpu, events));
	}

	std::vector<uint64_t> times; // of events
	std::vector<std::string> lines, notes;
	NewRecord last;
};

} // namespace grtrace
