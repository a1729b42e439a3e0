// SPDX-License-Identifier: GPL-2.0
#include "words/annotate/annotation_stream.h"

#include "format/byte_order.h"
#include "format/tool_records.h"
#include "words/annotate/handle_count.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

// More than any machine has: a greater number is not a CPU.
constexpr uint32_t max_cpus = 65536;

// A wait that was not over returns the rest of its time, or an error.
uint16_t wait_result(int64_t result)
{
	if (!result)
		return static_cast<uint16_t>(-ETIME);
	return result < 0 && result >= -4095 ? static_cast<uint16_t>(result) : 0;
}

std::string_view text_of(const char *field, size_t room)
{
	return {field, strnlen(field, room)};
}

} // namespace

AnnotationStream::AnnotationStream(const StreamFacts &facts) : session_(facts.session)
{
	write_tables(facts);
}

void AnnotationStream::write_tables(const StreamFacts &facts)
{
	InfoFacts info = facts.info();

	info.nr_cpus = facts.nr_cpus;
	packet_.open({.session = session_, .ts = facts.start_ts});
	packet_.add_info(info);
	packet_.add_metadata(
		fmt::format("source annotate {} {}\n", facts.probes, facts.known_probes));
}

PacketHead AnnotationStream::next_of(uint32_t cpu, uint64_t ts, uint32_t ctx_hi)
{
	if (cpu >= cpus_.size())
		cpus_.resize(cpu + 1);
	return {.session = session_,
		.ts = ts,
		.gseq = gseq_,
		.cseq = cpus_[cpu].cseq,
		.lost = cpus_[cpu].lost,
		.cpu = cpu,
		.ctx_hi = ctx_hi};
}

uint8_t *AnnotationStream::sequenced(uint16_t type, size_t size, const annotate_head &head,
				     uint32_t ctx_hi)
{
	const uint32_t cpu = std::min(head.cpu, max_cpus);

	packet_.go_to(next_of(cpu, head.ts, ctx_hi));
	cpus_[cpu].cseq++;
	return packet_.add_sequenced(type, size, {head.ts, gseq_++, head.tid});
}

void AnnotationStream::introduce(const annotate_head &head)
{
	using Record = grtrace_rec_task;

	const auto [found, is_new] = tasks_.try_emplace(head.tid);
	Task &task = found->second;

	if (!is_new && task.tgid == head.tgid && task.cgroup == head.cgroup &&
	    !memcmp(task.comm, head.comm, sizeof(task.comm)))
		return;
	task.tgid = head.tgid;
	task.cgroup = head.cgroup;
	memcpy(task.comm, head.comm, sizeof(task.comm));

	uint8_t *record = sequenced(GRTRACE_TASK, sizeof(Record), head, packet_.head().ctx_hi);
	store32(record + offsetof(Record, tgid), head.tgid);
	store_name(record + offsetof(Record, comm), GRTRACE_COMM_LEN,
		   text_of(head.comm, sizeof(head.comm)));
	store64(record + offsetof(Record, cgroup), head.cgroup);
}

void AnnotationStream::add(const annotate_ioctl &call)
{
	using Record = grtrace_rec_ioctl;

	const std::string_view driver = text_of(call.driver, sizeof(call.driver));
	const size_t argument = std::min(size_t(call.argument_size), sizeof(call.argument));

	introduce(call.head);
	uint8_t *record =
		sequenced(GRTRACE_IOCTL, sizeof(Record), call.head, packet_.head().ctx_hi);
	store64(record + offsetof(Record, duration), call.duration);
	store64(record + offsetof(Record, result), static_cast<uint64_t>(call.result));
	store64(record + offsetof(Record, cgroup), call.head.cgroup);
	store32(record + offsetof(Record, cmd), call.cmd);
	store32(record + offsetof(Record, minor), call.minor);
	store32(record + offsetof(Record, handles),
		count_handles(driver, call.cmd, call.argument, argument));
	store_name(record + offsetof(Record, driver), GRTRACE_DRIVER_LEN, driver);
	ioctls_++;
}

void AnnotationStream::add(const annotate_wait &wait)
{
	using Job = grtrace_rec_job;

	const bool enter = wait.head.kind == ANNOTATE_WAIT_ENTER;

	introduce(wait.head);
	uint8_t *record = sequenced(enter ? GRTRACE_SYNC_WAIT_ENTER : GRTRACE_SYNC_WAIT_EXIT,
				    sizeof(Job), wait.head, static_cast<uint32_t>(wait.ctx >> 32));
	store32(record + offsetof(Job, ctx), static_cast<uint32_t>(wait.ctx));
	store32(record + offsetof(Job, seqno), static_cast<uint32_t>(wait.seqno));
	store16(record + offsetof(Job, flags), GRTRACE_TIME_SOFTWARE | GRTRACE_IN_TASK);
	if (!enter)
		store16(record + offsetof(Job, arg), wait_result(wait.result));
	waits_ += enter;
}

void AnnotationStream::lose(uint32_t cpu, const annotate_loss &loss)
{
	cpu = std::min(cpu, max_cpus);
	packet_.go_to(next_of(cpu, loss.first_ts, packet_.head().ctx_hi));
	packet_.add_lost({loss.records, loss.first_ts, loss.last_ts});
	cpus_[cpu].cseq += loss.records;
	cpus_[cpu].lost += loss.records;
	lost_ += loss.records;
	// The next record begins a packet of its own, from which it is widened.
	packet_.close();
}

void AnnotationStream::stop(uint64_t ts)
{
	for (uint32_t cpu = 0; cpu < cpus_.size(); cpu++)
		if (cpus_[cpu].cseq)
			packet_.add_stop(next_of(cpu, ts, 0));
	packet_.open({.session = session_, .ts = ts});
	packet_.add_metadata("state stopped\n");
	packet_.close();
}

} // namespace grtrace
