// SPDX-License-Identifier: GPL-2.0
//
// Capture: one recording, from its files to events in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/text/diagnostics.h"
#include "lib/text/status.h"
#include "read/capture/capture_input.h"
#include "read/capture/hold_back.h"
#include "read/capture/loss_queue.h"
#include "read/capture/merger.h"
#include "read/stream/byte_reader.h"
#include "read/stream/decoder.h"
#include "read/stream/session.h"
#include "read/stream/stream_stats.h"

namespace grtrace {

// Limits for reading a capture.
struct OpenPlan {
	// At most this many events of a single stream are held back to put them in order.
	size_t batch = HoldBack::limit;
	// Bytes of buffers for all files together, as long as each file gets at least a page.
	size_t memory = SIZE_MAX;
	uint16_t number = 0; // the capture's number, which each event gets
	bool live = false; // events are printed at once, and no figures of jobs
	PartFinder find_parts = {}; // of what is read; empty: all
};

// Owns the readers, the decoders and the merger of one recording, and the tables that
// these fill. Tables follow the order of the events: a later TASK does not change the
// names in events that were returned before.
class Capture {
public:
	explicit Capture(Diagnostics &diagnostics);
	~Capture();

	Status open(const std::string &directory, const std::string &name,
		    const OpenPlan &plan = {});

	// For tests and the fuzzer.
	void open_memory(std::vector<std::vector<uint8_t>> streams, bool per_cpu);

	// Reports the content of each file to the watcher; call it before the first next().
	void watch(StreamWatcher &watcher);
	// Reports what is read to the listener, which must outlive the capture.
	void tell(ReadListener &listener);

	// The events stay valid until the next call. It returns more than one only if all
	// of them are events.
	Next next(std::span<const Event> &run)
	{
		const Next got = rest_.empty() ? read(rest_) : Next::event;

		if (got != Next::event || !losses_.empty() || !rest_.front().sequenced)
			return next_in_time(run, got);
		run = std::exchange(rest_, {});
		pass(run);
		return got;
	}

	// Returns one event. A caller must not mix this with runs.
	Next next(const Event *&event)
	{
		if (run_.empty())
			if (const Next got = next(run_); got != Next::event)
				return got;
		event = run_.data();
		run_ = run_.subspan(1);
		return Next::event;
	}

	// Returns each loss that began before the last event of next(), or all at the end,
	// once and in the order of their beginning. A single stream is read ahead, so a
	// loss may be found before its time comes; until then it waits here.
	std::vector<Gap> take_gaps();
	bool has_gaps() const
	{
		return !stats_.gaps.empty() || (!gaps_.empty() && first_gap_ <= last_ts_);
	}

	// Returns how many sequence numbers are in no file and are not explained by a jump
	// of cseq. If there are any, a file is missing or was cut. At the end these
	// numbers also count as missing; before the end the function returns 0.
	uint64_t unseen() const { return finished_ ? stats_.holes.records() : 0; }

	// Names the files of other possible CPUs, such as "x.grtrace.1". It is empty if
	// there are none, or if the capture has no file per CPU. A CPU that was never
	// online has no file either.
	std::string absent_files() const;

	const std::string &name() const { return name_; }
	size_t files() const { return streams_.size(); }
	// Returns the name of the file that contains an event's stream.
	const std::string &file(uint16_t stream) const { return streams_[stream].decoder->file(); }
	Session &session() { return session_; }
	const Session &session() const { return session_; }
	const StreamStats &stats() const { return stats_; }
	// At the end: returns when the recording ended. That is when it was stopped, if the
	// capture says so; else the time of the last event.
	uint64_t end_ts() const;
	// At the end: returns whether everything was read until a recording was stopped, so
	// that what is not over by its records was not over then.
	bool knows_end() const;
	// Returns the time of the last event that was read, in ns since the start.
	uint64_t length() const
	{
		return last_ts_ > session_.start_ts ? last_ts_ - session_.start_ts : 0;
	}

private:
	static constexpr uint64_t no_gseq = UINT64_MAX;
	static constexpr size_t gaps_max = 4096; // at most this many wait

	struct Stream {
		std::unique_ptr<ByteReader> in;
		std::unique_ptr<Decoder> decoder;
	};

	void add(const std::string &path, std::unique_ptr<ByteReader> in);
	void start(bool per_cpu);
	Next read(std::span<const Event> &run)
	{
		const Event *event;

		if (merger_)
			return merger_->next(run);
		const Next got = hold_back_->next(event);
		if (got == Next::event)
			run = {event, 1};
		return got;
	}
	Next next_in_time(std::span<const Event> &run, Next got);
	void note_hole(const Event &next);
	void note_hole_before(uint64_t end, uint64_t ts);
	uint32_t cpu_of_hole(uint64_t first) const;
	void settle_holes(size_t keep);
	void check_stops();
	void finish();

	// The numbers within a run have no holes.
	void pass(std::span<const Event> run)
	{
		if (run.front().gseq != next_gseq_)
			note_hole(run.front());
		next_gseq_ = std::max(next_gseq_, run.back().gseq + 1);
		last_ts_ = run.back().ts;
		// In the order of the events, so that names are those of that time.
		if (run.front().type >= GRTRACE_NOTE_FIRST || run.front().type == GRTRACE_ERROR)
			session_.learn(run.front().raw, run.front().type, run.front().size);
	}

	Diagnostics &diagnostics_;
	std::string name_;
	std::vector<std::vector<uint8_t>> memory_;
	Session session_;
	StreamStats stats_;
	std::vector<Stream> streams_;
	std::unique_ptr<Merger> merger_;
	std::unique_ptr<HoldBack> hold_back_;
	LossQueue losses_;
	std::multimap<uint64_t, Gap> gaps_; // by begin, and not due yet
	uint64_t first_gap_ = UINT64_MAX; // the earliest begin in gaps_
	std::span<const Event> rest_; // read, but not yet returned
	std::span<const Event> run_; // the run from which a caller takes one event at a time
	uint64_t last_ts_ = 0;
	uint64_t next_gseq_ = no_gseq;
	CaptureParts parts_;
	OpenPlan plan_;
	uint32_t next_cpu_ = 0; // one above the highest CPU that has a file of its own
	Command import_; // the program that makes the capture of another trace
	bool finished_ = false;
};

} // namespace grtrace
