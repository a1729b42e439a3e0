// SPDX-License-Identifier: GPL-2.0
//
// ForeignCapture: makes a capture from the events in a file that another program
// recorded.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/files/output_file.h"
#include "lib/text/status.h"
#include "words/foreign/foreign_events.h"
#include "words/translate/device_names.h"
#include "words/translate/packet_writer.h"
#include "words/translate/stream_notes.h"
#include "words/translate/task_names.h"
#include "words/translate/translator.h"

namespace grtrace {

// The facts that a file states about its recording, if it states any.
struct ForeignFacts {
	std::string kind = {}; // one word: trace.dat
	uint32_t clock = 0; // GRTRACE_CLOCK_*; 0: unknown
	uint32_t cpus = 0; // 0: unknown
	std::string release = {};
	// Readers print its events while it is recorded: which it will have is not known.
	bool is_live = false;
	std::string path = {}; // of the file; a session has the same number in each import of it
};

// Returns GRTRACE_CLOCK_* for the name that ftrace gives a clock, and 0 for other clocks.
uint32_t clock_of_trace(std::string_view name);

// Takes events in the order of their time. It needs memory for a translator, for one packet
// for each CPU, and for the first events.
class ForeignCapture {
public:
	static constexpr uint32_t cpus_max = 4096;

	struct Count {
		uint64_t events = 0;
		uint64_t unread = 0; // whose text is not that of any known kernel
	};

	ForeignCapture(const ForeignFacts &facts, OutputFile &out);

	// The name of a task, as an event has it.
	void name_task(uint32_t pid, uint32_t tgid, std::string_view comm);
	void take(const ForeignEvent &from, const KernelEvent &event);
	// User space wrote this line into the trace.
	void marker(const KernelEvent &event, std::string_view line);
	// An event of the table whose fields cannot be read: it is missing in the records.
	void cannot_read(const ForeignEvent &from, uint32_t cpu)
	{
		count(from).unread++;
		unread_++;
		lose(cpu, 1);
	}
	// Events that are missing in the records for another reason than that they were lost when
	// the file was recorded.
	enum class Miss : uint8_t { unpacked, undescribed, damaged, count };
	void miss(Miss kind, uint32_t cpu, const std::string &why = {});
	// The trace has an event of that time, of a GPU or not: it was recorded until then.
	void reach(uint64_t ts) { reached_ts_ = std::max(reached_ts_, ts); }
	// An event that is not turned into a record; its name, if the file has names.
	void leave_out(std::string_view name = {});
	// Events of the CPU were lost before its next event, or since the given time.
	void lose(uint32_t cpu, uint64_t events);
	// The file ends before the events of this CPU do: at least one is missing.
	void cut(uint32_t cpu)
	{
		cut_++;
		lose(cpu, 1);
	}
	// The file ends too early, on no CPU of which one knows. Call it behind the last event.
	void cut_end();

	// Writes what came so far.
	void flush();
	void finish();
	bool failed() const { return out_.failed(); }

	uint64_t events() const { return events_ + early_events_; }
	uint64_t lost() const { return lost_; }
	uint64_t unordered() const { return unordered_; }
	// Returns a line that says what was taken, and a sentence for each thing that
	// the user should know.
	std::string summary() const;
	std::vector<std::string> remarks() const;
	// Returns what the file has instead, if it has no event that could be read.
	std::string nothing_read() const;

private:
	struct Cpu {
		uint64_t last_ts = 0;
		uint64_t lost = 0; // before its next event
	};

	void take_now(const ForeignEvent &from, const KernelEvent &event);
	void marker_now(const KernelEvent &event, std::string_view line);
	void name_now(uint32_t pid, uint32_t tgid, std::string_view comm);
	void lose_now(uint32_t cpu, uint64_t events);
	void end_early();

	Count &count(const ForeignEvent &event);
	std::map<std::string_view, Count> named_counts() const;
	bool has(TraceKind kind) const { return kinds_ >> static_cast<int>(kind) & 1; }
	bool has_any(std::initializer_list<TraceKind> kinds) const;
	bool begin(const KernelEvent &event);
	void start(uint64_t ts);
	void write_loss(uint32_t cpu, uint64_t to);
	void write(const uint8_t *bytes, size_t size);
	void write_head();
	void write_notes();
	void learn_untold();
	void learn_sources();
	void note_late(const ForeignEvent &from);
	std::vector<std::string> missing() const;
	std::vector<std::string> misses() const;
	template <typename Holds> std::string rings_that(Holds holds) const;
	std::string mixed_rings() const;
	std::string parted_rings() const;

	const ForeignFacts facts_;
	OutputFile &out_;
	StreamNotes notes_;
	DeviceNames devices_{""};
	TaskNames tasks_{"", ""};
	PacketWriter writer_;
	Translator translator_;
	bool lacks_processes_ = false; // the process of a thread is unknown
	std::vector<Cpu> cpus_;
	std::vector<Count> counts_; // by place in the table
	uint64_t kinds_ = 0; // bit n: an event of kind n was taken
	uint64_t early_kinds_ = 0; // the same of those that are held
	// The first events are held until it is known which kinds the file has, as the meaning
	// of some depends on the others.
	std::vector<std::function<void()>> early_;
	std::deque<std::string> early_texts_;
	std::vector<SameNames::Job> early_jobs_; // whose events name no device
	uint64_t early_events_ = 0;
	bool is_early_ = true;
	uint64_t events_ = 0;
	uint64_t markers_ = 0;
	uint64_t left_out_ = 0;
	std::map<std::string, uint64_t, std::less<>> left_out_names_;
	uint64_t lost_ = 0;
	uint64_t cut_ = 0; // of lost_
	uint64_t unread_ = 0; // of lost_
	std::array<uint64_t, static_cast<size_t>(Miss::count)> missed_ = {}; // of lost_
	std::string why_; // something could not be unpacked
	uint64_t unordered_ = 0;
	uint64_t last_ts_ = 0;
	uint64_t reached_ts_ = 0; // by any event, also of no GPU
	uint32_t last_cpu_ = 0; // of the last event
	uint64_t unflushed_ = 0; // events since the packets were written
	bool started_ = false;
	std::string late_; // events that the notes say the file lacks
	std::string head_; // the first packets, until the notes before them are written
	bool has_head_ = false;
	bool is_finished_ = false;
};

} // namespace grtrace
