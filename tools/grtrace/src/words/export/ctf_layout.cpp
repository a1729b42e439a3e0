// SPDX-License-Identifier: GPL-2.0
#include "words/export/ctf_layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "format/vocabulary.h"
#include "words/ioctl/ioctl_call.h"

namespace grtrace {

namespace {

template <auto Member> uint64_t at(const Event &event)
{
	return static_cast<uint64_t>(event.*Member);
}

template <auto Member> uint64_t at_call(const Event &event)
{
	return static_cast<uint64_t>(IoctlCall(event).*Member);
}

template <auto Member> uint64_t at_loss(const Event &event)
{
	return static_cast<uint64_t>(lost_of(event).*Member);
}

// A number of a note that the event has not been given.
template <size_t Offset> uint64_t at32(const Event &event)
{
	return load32(event.raw + Offset);
}

template <size_t Offset, size_t Size> std::string text_at(const Event &event)
{
	return std::string(text_field(event.raw + Offset, Size));
}

const CtfField context_fields[] = {
	{"ts", CtfType::u64, at<&Event::ts>},
	{"gseq", CtfType::u64, at<&Event::gseq>},
	{"cseq", CtfType::u64, at<&Event::cseq>},
	{"pid", CtfType::u32, at<&Event::pid>},
};

uint64_t command_at(const Event &event)
{
	return command_of(event);
}

// An event without a fence has all but the last two.
const CtfField job_fields[] = {
	{"ctx", CtfType::u64, at<&Event::ctx>},
	{"seqno", CtfType::u32, at<&Event::seqno>},
	{"ring", CtfType::ring, at<&Event::ring>},
	{"flags", CtfType::hex16, at<&Event::flags>},
	{"arg", CtfType::u16, at<&Event::arg>},
	{"weight", CtfType::u32, at<&Event::weight>},
	{"fence_ctx", CtfType::u64, at<&Event::fence_ctx>},
	{"fence_seqno", CtfType::u32, at<&Event::fence_seqno>},
};
constexpr size_t nr_job_fields = 6;

// The first fields of a job, and then the type's own.
template <size_t Shared, size_t Own>
std::array<CtfField, Shared + Own> of_job(const CtfField (&own)[Own])
{
	std::array<CtfField, Shared + Own> all = {};

	std::copy_n(own, Own, std::copy_n(job_fields, Shared, all.begin()));
	return all;
}

const auto submit_fields = of_job<nr_job_fields>({{"client", CtfType::u64, client_of}});

const auto command_fields = of_job<std::size(job_fields)>({
	{"client", CtfType::u64, client_of},
	{"command", CtfType::u32, command_at},
});

const auto response_fields = of_job<nr_job_fields>({{"response", CtfType::u32, command_at}});

using ErrorRecord = grtrace_rec_error;

const auto error_fields = of_job<nr_job_fields>({
	{"kind", CtfType::error_kind, at<&Event::kind>},
	{"code", CtfType::s32, at<&Event::code>},
	{"guilty_pid", CtfType::u32, at32<offsetof(ErrorRecord, pid)>},
	{"guilty_comm", CtfType::text, nullptr,
	 text_at<offsetof(ErrorRecord, comm), GRTRACE_COMM_LEN>},
	{"error_text", CtfType::text, nullptr,
	 text_at<offsetof(ErrorRecord, text), GRTRACE_TEXT_LEN>},
});

const auto queue_fields = of_job<nr_job_fields>({
	{"state", CtfType::queue_state, [](const Event &e) { return uint64_t(queue_of(e).state); }},
	{"reason", CtfType::queue_reason,
	 [](const Event &e) { return uint64_t(queue_of(e).reason); }},
	{"client", CtfType::u64, [](const Event &e) { return queue_of(e).client; }},
});

// Fields of events that belong to no job.
const CtfField ioctl_fields[] = {
	job_fields[3],
	job_fields[5],
	{"cmd", CtfType::u32, at_call<&IoctlCall::cmd>},
	{"duration", CtfType::u64, at_call<&IoctlCall::duration>},
	{"result", CtfType::s64, at_call<&IoctlCall::result>},
	{"handles", CtfType::u32, at_call<&IoctlCall::handles>},
	{"cgroup", CtfType::u64, at_call<&IoctlCall::cgroup>},
	{"minor", CtfType::u32, at_call<&IoctlCall::minor>},
	{"driver", CtfType::text, nullptr,
	 text_at<offsetof(grtrace_rec_ioctl, driver), GRTRACE_DRIVER_LEN>},
	{"ioctl", CtfType::text, nullptr, [](const Event &e) { return IoctlCall(e).name(); }},
};

const CtfField lost_fields[] = {
	{"events", CtfType::u64, at_loss<&Lost::events>},
	{"notes", CtfType::u32, at_loss<&Lost::notes>},
	{"first_ts", CtfType::u64, at_loss<&Lost::first_ts>},
	{"last_ts", CtfType::u64, at_loss<&Lost::last_ts>},
	{"limited", CtfType::u64, at_loss<&Lost::limited>},
	{"pressure", CtfType::u64, at_loss<&Lost::pressure>},
};

using RingRecord = grtrace_rec_ring;
using TaskRecord = grtrace_rec_task;
using SampleRecord = grtrace_rec_sample;
using NameRecord = grtrace_rec_fence_name;

const CtfField ring_fields[] = {
	{"ring", CtfType::u32, at32<offsetof(RingRecord, ring)>},
	{"engine", CtfType::engine, at32<offsetof(RingRecord, engine_class)>},
	{"dev", CtfType::text, nullptr, text_at<offsetof(RingRecord, device), GRTRACE_DEVICE_LEN>},
	{"driver", CtfType::text, nullptr,
	 text_at<offsetof(RingRecord, driver), GRTRACE_DRIVER_LEN>},
	{"ring_name", CtfType::text, nullptr,
	 text_at<offsetof(RingRecord, name), GRTRACE_NAME_LEN>},
	{"ring_flags", CtfType::u32, at32<offsetof(RingRecord, flags)>},
	{"timeout_ms", CtfType::u32, at32<offsetof(RingRecord, timeout_ms)>},
};

const CtfField task_fields[] = {
	{"tgid", CtfType::u32, at32<offsetof(TaskRecord, tgid)>},
	{"comm", CtfType::text, nullptr, text_at<offsetof(TaskRecord, comm), GRTRACE_COMM_LEN>},
	{"cgroup", CtfType::u64,
	 [](const Event &e) { return load64(e.raw + offsetof(TaskRecord, cgroup)); }},
};

const CtfField message_fields[] = {
	{"text", CtfType::text, nullptr, [](const Event &e) { return std::string(message_of(e)); }},
};

const CtfField sample_fields[] = {
	{"sample", CtfType::u32, at32<offsetof(SampleRecord, sample)>},
	{"previous", CtfType::u32, at32<offsetof(SampleRecord, previous)>},
	{"reason", CtfType::u32, at32<offsetof(SampleRecord, reason)>},
	{"fill", CtfType::u32, at32<offsetof(SampleRecord, fill)>},
};

const CtfField fence_name_fields[] = {
	job_fields[0],
	{"driver", CtfType::text, nullptr,
	 text_at<offsetof(NameRecord, driver), GRTRACE_DRIVER_LEN>},
	{"timeline", CtfType::text, nullptr,
	 text_at<offsetof(NameRecord, timeline), GRTRACE_NAME_LEN>},
};

const CtfField unknown_fields[] = {
	{"type", CtfType::u16, at<&Event::type>},
	{"size", CtfType::u16, at<&Event::size>},
};

// The types of a command, of the response to one, and of an unknown record.
constexpr uint16_t command = 0x200 + GRTRACE_SUBMIT;
constexpr uint16_t response = 0x200 + GRTRACE_END;
constexpr uint16_t unknown_record = 0x200;

std::span<const CtfField> fields_of(uint16_t type, bool has_fence)
{
	switch (type) {
	case GRTRACE_ERROR:
		return error_fields;
	case GRTRACE_QUEUE:
		return queue_fields;
	case GRTRACE_IOCTL:
		return ioctl_fields;
	case GRTRACE_LOST:
		return lost_fields;
	case GRTRACE_RING:
		return ring_fields;
	case GRTRACE_TASK:
		return task_fields;
	case GRTRACE_MESSAGE:
		return message_fields;
	case GRTRACE_SAMPLE:
		return sample_fields;
	case GRTRACE_SUBMIT:
		return submit_fields;
	case GRTRACE_FENCE_NAME:
		return fence_name_fields;
	}
	if (has_fence)
		return job_fields;
	return std::span<const CtfField>(job_fields).first(nr_job_fields);
}

bool always_has_fence(uint16_t type)
{
	return type == GRTRACE_DEP || type == GRTRACE_BLOCKED || type == GRTRACE_COMMIT ||
	       type == GRTRACE_CTX_SWITCH;
}

CtfKind kind_of(uint16_t type)
{
	return {type, record_kind(type)->name, fields_of(type, always_has_fence(type))};
}

// The kind of a command's SUBMIT, and of its END.
CtfKind answered_kind(uint16_t type)
{
	if (type == GRTRACE_SUBMIT)
		return {command, record_kind(type)->name, command_fields};
	return {response, record_kind(type)->name, response_fields};
}

// PACKET, STREAM_INFO and METADATA are the decoder's.
constexpr uint16_t notes[] = {GRTRACE_LOST,    GRTRACE_RING,   GRTRACE_TASK,
			      GRTRACE_MESSAGE, GRTRACE_SAMPLE, GRTRACE_FENCE_NAME};
static_assert(nr_ctf_kinds == nr_event_kinds + std::size(notes) + 3);

} // namespace

const char *ctf_type_name(CtfType type)
{
	switch (type) {
	case CtfType::u16:
		return "uint16_t";
	case CtfType::u32:
		return "uint32_t";
	case CtfType::u64:
		return "uint64_t";
	case CtfType::s32:
		return "int32_t";
	case CtfType::s64:
		return "int64_t";
	case CtfType::hex16:
		return "hex16_t";
	case CtfType::ring:
		return "enum ring";
	case CtfType::error_kind:
		return "enum error_kind";
	case CtfType::queue_state:
		return "enum queue_state";
	case CtfType::queue_reason:
		return "enum queue_reason";
	case CtfType::engine:
		return "enum engine";
	case CtfType::text:
		break;
	}
	return "string";
}

std::span<const CtfField> ctf_context()
{
	return context_fields;
}

CtfKind ctf_kind(const Event &event)
{
	if (!record_kind(event.type))
		return {unknown_record, "unknown", unknown_fields};
	return is_answered(event) ? answered_kind(event.type) : kind_of(event.type);
}

CtfKind ctf_kind_at(size_t index)
{
	if (index < nr_event_kinds)
		return kind_of(record_kinds[index].type);
	index -= nr_event_kinds;
	if (index < std::size(notes))
		return kind_of(notes[index]);
	if (index == std::size(notes))
		return answered_kind(GRTRACE_SUBMIT);
	if (index == std::size(notes) + 1)
		return answered_kind(GRTRACE_END);
	return {unknown_record, "unknown", unknown_fields};
}

} // namespace grtrace
