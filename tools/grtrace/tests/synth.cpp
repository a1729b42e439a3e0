// SPDX-License-Identifier: GPL-2.0
#include "synth.h"

#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include <drm/grtrace_drm.h>

#include "format/byte_order.h"
#include "format/vocabulary.h"

namespace grtrace {

static void text_at(std::vector<uint8_t> &body, size_t offset, size_t room, std::string_view text)
{
	for (size_t i = 0; i < text.size() && i < room; i++)
		body[offset + i] = static_cast<uint8_t>(text[i]);
}

static std::vector<uint8_t> new_record(uint16_t type, size_t size)
{
	std::vector<uint8_t> body((size + 7) / 8 * 8);

	store16(&body[0], type);
	return body;
}

static std::string value(const std::map<std::string, std::string, std::less<>> &words,
			 const char *key, const char *otherwise = "")
{
	auto found = words.find(key);

	return found == words.end() ? otherwise : found->second;
}

Synth::Synth(bool stream) : stream_(stream) {}
Synth::~Synth() = default;

bool Synth::fail(const std::string &reason)
{
	error_ = fmt::format("line {}: {}", line_, reason);
	return false;
}

uint64_t Synth::number(const Words &words, const char *key, uint64_t otherwise) const
{
	auto found = words.find(key);

	// Negative numbers (codes, errors) wrap, as they do in the stream.
	return found == words.end() ?
		       otherwise :
	       found->second[0] == '-' ?
		       static_cast<uint64_t>(strtoll(found->second.c_str(), nullptr, 0)) :
		       strtoull(found->second.c_str(), nullptr, 0);
}

uint64_t Synth::time(const Words &words)
{
	auto found = words.find("ts");

	if (found == words.end())
		ts_ += 1000;
	else if (found->second[0] == '+')
		ts_ += strtoull(found->second.c_str() + 1, nullptr, 0);
	else
		ts_ = strtoull(found->second.c_str(), nullptr, 0);
	return ts_;
}

std::vector<uint8_t> &Synth::file()
{
	return files_[stream_ || cpu_ == GRTRACE_CPU_NONE ? 0 : cpu_];
}

Synth::Packet &Synth::packet()
{
	return packets_[stream_ || cpu_ == GRTRACE_CPU_NONE ? 0 : cpu_];
}

void Synth::open_packet(const Words &words, uint32_t ctx_hi)
{
	using P = grtrace_rec_packet;

	std::vector<uint8_t> body = new_record(GRTRACE_PACKET, sizeof(P));
	store16(&body[2], static_cast<uint16_t>(body.size()));
	store32(&body[offsetof(P, magic)],
		static_cast<uint32_t>(number(words, "magic", GRTRACE_MAGIC)));
	store16(&body[offsetof(P, major)],
		static_cast<uint16_t>(number(words, "major", GRTRACE_VERSION_MAJOR)));
	store16(&body[offsetof(P, minor)],
		static_cast<uint16_t>(number(words, "minor", GRTRACE_VERSION_MINOR)));
	store32(&body[offsetof(P, cpu)], cpu_);
	store64(&body[offsetof(P, session)], number(words, "session", session_));
	store64(&body[offsetof(P, ts)], number(words, "base_ts", ts_));
	store64(&body[offsetof(P, gseq)], number(words, "base_gseq", gseq_));
	store64(&body[offsetof(P, cseq)], number(words, "cseq", cseq_[cpu_]));
	store64(&body[offsetof(P, lost)], number(words, "lost", lost_[cpu_]));
	store32(&body[offsetof(P, ctx_hi)], ctx_hi);
	store32(&body[offsetof(P, sample)],
		static_cast<uint32_t>(number(words, "sample", sample_)));
	file().insert(file().end(), body.begin(), body.end());
	packet() = {true, cpu_, ctx_hi, ts_};
}

void Synth::emit(std::vector<uint8_t> body, bool sequenced, uint32_t ctx_hi, const Words &words)
{
	bool none = cpu_ == GRTRACE_CPU_NONE;

	if (sequenced) {
		uint64_t ts = time(words);

		gseq_ = number(words, "gseq", gseq_);
		store32(&body[offsetof(grtrace_rec_seq, ts)], static_cast<uint32_t>(ts));
		store32(&body[offsetof(grtrace_rec_seq, seq)],
			static_cast<uint32_t>(number(words, "seq", gseq_)));
		store32(&body[offsetof(grtrace_rec_seq, pid)],
			static_cast<uint32_t>(number(words, "pid")));
	}
	body.resize(body.size() + grow_);
	grow_ = 0;
	store16(&body[2], static_cast<uint16_t>(number(words, "size", body.size())));

	Packet &open = packet();
	if (!open.open || open.cpu != cpu_ || (ctx_hi && ctx_hi != open.ctx_hi) ||
	    ts_ - open.ts >= 1 << 30)
		open_packet({}, ctx_hi);
	packet().ts = ts_;
	file().insert(file().end(), body.begin(), body.end());
	if (sequenced && !none) {
		cseq_[cpu_]++;
		gseq_++;
	}
}

void Synth::job(uint16_t type, const Words &words, uint32_t &ctx_hi, std::vector<uint8_t> &body)
{
	using Job = grtrace_rec_job;

	uint64_t ctx = number(words, "ctx");
	std::string fence = value(words, "fence");
	const bool submit = type == GRTRACE_SUBMIT;
	const bool response = !value(words, "response").empty();
	const bool command = submit && !(fence.empty() && value(words, "command").empty());
	size_t size = sizeof(Job);

	if (!fence.empty())
		size = sizeof(grtrace_rec_job_fence);
	if (command)
		size = sizeof(grtrace_rec_command);
	if (response)
		size = sizeof(grtrace_rec_response);
	if (const RecordKind *kind = record_kind(type))
		size = std::max(size, size_t(kind->min_size));
	body = new_record(type, size);
	ctx_hi = static_cast<uint32_t>(ctx >> 32);
	store32(&body[offsetof(Job, ctx)], static_cast<uint32_t>(ctx));
	store32(&body[offsetof(Job, seqno)], static_cast<uint32_t>(number(words, "seqno")));
	store32(&body[offsetof(Job, ring)], static_cast<uint32_t>(number(words, "ring")));
	store16(&body[offsetof(Job, flags)], static_cast<uint16_t>(number(words, "flags")));
	store16(&body[offsetof(Job, arg)], static_cast<uint16_t>(number(words, "arg")));
	if (!fence.empty()) {
		size_t colon = fence.find(':');
		size_t at = command ? offsetof(grtrace_rec_command, fence_ctx) :
				      offsetof(grtrace_rec_job_fence, fence_ctx);
		store32(&body[at], static_cast<uint32_t>(strtoull(fence.c_str(), nullptr, 0)));
		store32(&body[at + 4],
			static_cast<uint32_t>(strtoull(fence.c_str() + colon + 1, nullptr, 0)));
	}
	if (submit)
		store64(&body[offsetof(grtrace_rec_submit, client)], number(words, "client"));
	if (command)
		store32(&body[offsetof(grtrace_rec_command, command)],
			static_cast<uint32_t>(number(words, "command")));
	if (response)
		store32(&body[offsetof(grtrace_rec_response, response)],
			static_cast<uint32_t>(number(words, "response")));
	if (type == GRTRACE_IOCTL) {
		using Ioctl = grtrace_rec_ioctl;

		for (const auto &[key, offset] : {std::pair("duration", offsetof(Ioctl, duration)),
						  std::pair("result", offsetof(Ioctl, result)),
						  std::pair("cgroup", offsetof(Ioctl, cgroup))})
			store64(&body[offset], number(words, key));
		store32(&body[offsetof(Ioctl, cmd)], static_cast<uint32_t>(number(words, "cmd")));
		store32(&body[offsetof(Ioctl, minor)],
			static_cast<uint32_t>(number(words, "minor")));
		store32(&body[offsetof(Ioctl, handles)],
			static_cast<uint32_t>(number(words, "handles", GRTRACE_HANDLES_UNKNOWN)));
		text_at(body, offsetof(Ioctl, driver), GRTRACE_DRIVER_LEN,
			value(words, "driver", "mock"));
	}
	if (type == GRTRACE_QUEUE) {
		using Queue = grtrace_rec_queue;

		store32(&body[offsetof(Queue, state)],
			static_cast<uint32_t>(number(words, "state")));
		store32(&body[offsetof(Queue, reason)],
			static_cast<uint32_t>(number(words, "reason")));
		store64(&body[offsetof(Queue, client)], number(words, "client"));
	}
	if (type == GRTRACE_ERROR) {
		using Error = grtrace_rec_error;

		store32(&body[offsetof(Error, kind)], static_cast<uint32_t>(number(words, "kind")));
		store32(&body[offsetof(Error, code)], static_cast<uint32_t>(number(words, "code")));
		store32(&body[offsetof(Error, pid)],
			static_cast<uint32_t>(number(words, "guilty")));
		text_at(body, offsetof(Error, comm), GRTRACE_COMM_LEN, value(words, "comm"));
		text_at(body, offsetof(Error, text), GRTRACE_TEXT_LEN, value(words, "text"));
	}
}

bool Synth::record(std::string_view name, const Words &words)
{
	std::vector<uint8_t> body;
	uint32_t ctx_hi = 0;

	if (name == "info") {
		using Info = grtrace_rec_stream_info;
		body = new_record(GRTRACE_STREAM_INFO, sizeof(Info));
		store32(&body[offsetof(Info, clock)],
			static_cast<uint32_t>(number(words, "clock", GRTRACE_CLOCK_MONOTONIC)));
		store64(&body[offsetof(Info, session)], session_);
		store64(&body[offsetof(Info, features)], number(words, "features"));
		store64(&body[offsetof(Info, start_ts)], number(words, "start"));
		store64(&body[offsetof(Info, start_real)], number(words, "real"));
		store32(&body[offsetof(Info, nr_cpus)],
			static_cast<uint32_t>(number(words, "cpus", 1)));
		store32(&body[offsetof(Info, subbuf_size)],
			static_cast<uint32_t>(number(words, "subbuf")));
		store64(&body[offsetof(Info, boot_id)], number(words, "boot"));
		text_at(body, offsetof(Info, release), GRTRACE_RELEASE_LEN - 1,
			value(words, "release", "7.3.4"));
		emit(body, false, 0, words);
	} else if (name == "ring") {
		using Ring = grtrace_rec_ring;
		body = new_record(GRTRACE_RING, sizeof(Ring));
		store32(&body[offsetof(Ring, ring)], static_cast<uint32_t>(number(words, "id")));
		store32(&body[offsetof(Ring, engine_class)],
			static_cast<uint32_t>(number(words, "class")));
		text_at(body, offsetof(Ring, device), GRTRACE_DEVICE_LEN - 1,
			value(words, "device", "card0"));
		text_at(body, offsetof(Ring, driver), GRTRACE_DRIVER_LEN - 1,
			value(words, "driver", "mock"));
		text_at(body, offsetof(Ring, name), GRTRACE_NAME_LEN - 1,
			value(words, "name", "gfx"));
		store32(&body[offsetof(Ring, flags)],
			static_cast<uint32_t>(number(words, "flags")));
		store32(&body[offsetof(Ring, timeout_ms)],
			static_cast<uint32_t>(number(words, "timeout")));
		emit(body, true, 0, words);
	} else if (name == "task") {
		using Task = grtrace_rec_task;
		body = new_record(GRTRACE_TASK, sizeof(Task));
		store32(&body[offsetof(Task, tgid)],
			static_cast<uint32_t>(number(words, "tgid", number(words, "pid"))));
		text_at(body, offsetof(Task, comm), GRTRACE_COMM_LEN, value(words, "comm"));
		store64(&body[offsetof(Task, cgroup)], number(words, "cgroup"));
		emit(body, true, 0, words);
	} else if (name == "lost") {
		using Lost = grtrace_rec_lost;
		body = new_record(GRTRACE_LOST, sizeof(Lost));
		store32(&body[offsetof(Lost, notes)],
			static_cast<uint32_t>(number(words, "notes")));
		store64(&body[offsetof(Lost, events)], number(words, "events"));
		store64(&body[offsetof(Lost, first_ts)], number(words, "first", ts_));
		store64(&body[offsetof(Lost, last_ts)], number(words, "last", ts_));
		store64(&body[offsetof(Lost, limited)], number(words, "limited"));
		store64(&body[offsetof(Lost, pressure)], number(words, "pressure"));
		lost_[cpu_] += number(words, "notes") + number(words, "events");
		emit(body, false, 0, words);
		cseq_[cpu_] += number(words, "notes") + number(words, "events");
	} else if (name == "stop") {
		using Stop = grtrace_rec_stop;
		body = new_record(GRTRACE_STOP, sizeof(Stop));
		store64(&body[offsetof(Stop, ts)], time(words));
		store64(&body[offsetof(Stop, gseq)], number(words, "gseq", gseq_));
		store64(&body[offsetof(Stop, cseq)], number(words, "cseq", cseq_[cpu_]));
		store64(&body[offsetof(Stop, lost)], number(words, "lost", lost_[cpu_]));
		emit(body, false, 0, words);
	} else if (name == "sample") {
		using Sample = grtrace_rec_sample;
		body = new_record(GRTRACE_SAMPLE, sizeof(Sample));
		store32(&body[offsetof(Sample, sample)],
			static_cast<uint32_t>(number(words, "n", sample_)));
		store32(&body[offsetof(Sample, previous)],
			static_cast<uint32_t>(number(words, "previous", 1)));
		store32(&body[offsetof(Sample, reason)],
			static_cast<uint32_t>(number(words, "reason")));
		store32(&body[offsetof(Sample, fill)],
			static_cast<uint32_t>(number(words, "fill")));
		emit(body, true, 0, words);
	} else if (name == "fence_name") {
		using Name = grtrace_rec_fence_name;
		body = new_record(GRTRACE_FENCE_NAME, sizeof(Name));
		store64(&body[offsetof(Name, ctx)], number(words, "ctx"));
		text_at(body, offsetof(Name, driver), GRTRACE_DRIVER_LEN - 1,
			value(words, "driver"));
		text_at(body, offsetof(Name, timeline), GRTRACE_NAME_LEN - 1,
			value(words, "timeline"));
		emit(body, true, 0, words);
	} else if (name == "packet") {
		open_packet(words, static_cast<uint32_t>(number(words, "ctx_hi")));
	} else if (name == "unknown") {
		uint16_t type = static_cast<uint16_t>(number(words, "type"));
		body = new_record(type, number(words, "size", 32));
		emit(body, type < GRTRACE_TYPE_LIMIT || type >> 8 == 2, 0, words);
	} else {
		const RecordKind *kind = record_kind_by_word(name);
		if (!kind || kind->type >= GRTRACE_TYPE_LIMIT)
			return fail(fmt::format("what is \"{}\"?", name));
		job(kind->type, words, ctx_hi, body);
		emit(body, true, ctx_hi, words);
	}
	return true;
}

static std::string_view next_word(std::string_view &text)
{
	size_t begin = text.find_first_not_of(" \t");
	if (begin == text.npos) {
		text = {};
		return {};
	}
	text.remove_prefix(begin);

	size_t end = std::min(text.find_first_of(" \t"), text.size());
	std::string_view word = text.substr(0, end);
	text.remove_prefix(end);
	return word;
}

bool Synth::line(std::string_view text)
{
	text = text.substr(0, text.find('#'));

	std::string_view name = next_word(text);
	if (name.empty())
		return true;
	if (name == "message" || name == "meta") {
		size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
		std::string line(text.substr(begin));
		bool message = name == "message";
		size_t head = message ? sizeof(grtrace_rec_message) : sizeof(grtrace_rec_metadata);

		if (!message)
			line += '\n';
		std::vector<uint8_t> body = new_record(message ? GRTRACE_MESSAGE : GRTRACE_METADATA,
						       head + line.size());
		text_at(body, head, line.size(), line);
		emit(body, message, 0, {});
		return true;
	}
	if (name == "raw") {
		for (std::string_view word; !(word = next_word(text)).empty();)
			file().push_back(static_cast<uint8_t>(
				strtoul(std::string(word).c_str(), nullptr, 16)));
		return true;
	}

	Words words;
	for (std::string_view word; !(word = next_word(text)).empty();) {
		size_t equals = word.find('=');
		if (equals == word.npos)
			words["value"] = word;
		else
			words[std::string(word.substr(0, equals))] = word.substr(equals + 1);
	}

	if (name == "session")
		session_ = number(words, "value");
	else if (name == "cpu" && value(words, "value") == "none")
		cpu_ = GRTRACE_CPU_NONE;
	else if (name == "cpu")
		cpu_ = static_cast<uint32_t>(number(words, "value"));
	else if (name == "grow")
		grow_ = static_cast<uint32_t>(number(words, "value"));
	else if (name == "sampling") {
		sample_ = static_cast<uint32_t>(number(words, "value"));
		for (auto &[file, packet] : packets_)
			packet.open = false;
	} else if (name == "overwritten") {
		cseq_[cpu_] += number(words, "value");
		gseq_ += number(words, "value");
		packet().open = false;
	} else
		return record(name, words);
	return true;
}

bool Synth::parse(std::string_view text)
{
	while (!text.empty()) {
		size_t end = std::min(text.find('\n'), text.size());

		line_++;
		if (!line(text.substr(0, end)))
			return false;
		text.remove_prefix(std::min(end + 1, text.size()));
	}
	return true;
}

std::vector<std::vector<uint8_t>> Synth::streams() const
{
	std::vector<std::vector<uint8_t>> result;

	for (const auto &[cpu, bytes] : files_)
		result.push_back(bytes);
	return result;
}

} // namespace grtrace
