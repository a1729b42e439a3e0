// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/files/packet_output.h"
#include "lib/text/status.h"
#include "words/tracefs/event_merge.h"
#include "words/tracefs/raw_events.h"
#include "words/tracefs/trace_events_found.h"
#include "words/tracefs/trace_instance.h"
#include "words/translate/device_names.h"
#include "words/translate/packet_writer.h"
#include "words/translate/stream_notes.h"
#include "words/translate/task_names.h"
#include "words/translate/translator.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace grtrace {

// Reads the instance's buffers of all CPUs and writes the capture. It has one thread for
// all CPUs, because an event of one CPU may be needed to interpret an event of another
// CPU.
//
//	prepare()       before tracing: buffers and files, everything that can fail
//	begin()		tracing is on
//	finish()	tracing is off: reads the rest, closes the files
//
// Memory is needed for the translator, and a few sub-buffers for each CPU.
class TraceReader {
public:
	struct Plan {
		std::string base; // <base>.grtrace.<cpu>; "-": all to stdout
		uint32_t clock_id = 0;
		bool live = true; // false: nothing is read before the end
	};

	// The fate of a CPU's events, for the table at the end.
	struct CpuTotals {
		unsigned int cpu = 0;
		uint64_t events = 0;
		uint64_t notes = 0;
		uint64_t lost = 0;
		uint64_t bytes = 0;
	};

	TraceReader(const TraceInstance &instance, const Plan &plan, StreamNotes &notes);
	~TraceReader();

	// @events: the enabled events; more are added when a driver is loaded
	Status prepare(FoundEvents *events, const RecordFilter &filter);
	Status begin();
	Status finish();

	// Readable once reading has failed; finish() says why.
	int failure_fd() const { return failed_.get(); }

	// Return the numbers at the last round; callable from any thread.
	uint64_t events() const { return events_; }
	uint64_t lost() const { return lost_; }
	uint64_t bytes() const { return bytes_; }

	// To be called after finish().
	std::vector<CpuTotals> totals() const;
	uint64_t overwritten() const { return overwritten_; }
	uint64_t untold() const { return translator_->untold(); }

private:
	struct Cpu {
		Output own; // its file, if it has one
		uint64_t told = 0; // lost events that were reported
		uint64_t bytes = 0;
		bool has_output = false;
		bool seen = false; // the first sub-buffer was checked
	};

	static void *thread_main(void *reader);
	Status follow();
	Status round(bool last);
	Status translate(bool *moved);
	void tell_loss(EventBuffer &buffer, uint64_t ts);
	void tell_rest(EventBuffer &buffer);
	void wait();
	void look_for_events();
	void write(uint32_t cpu, const uint8_t *bytes, size_t size);
	Status open_output(uint32_t cpu);
	Output &output(uint32_t cpu);
	Status write_notes(Output &output);
	Status write_others();
	Status close_outputs();

	const TraceInstance &instance_;
	const Plan plan_;
	StreamNotes &notes_;
	FoundEvents *found_ = nullptr;
	uint64_t looked_ = 0; // time of the last look for new events
	DeviceNames devices_;
	TaskNames tasks_;
	std::unique_ptr<PacketWriter> writer_;
	std::unique_ptr<Translator> translator_;
	std::unique_ptr<RawEvents> raw_;
	std::vector<std::unique_ptr<EventBuffer>> buffers_;
	std::vector<std::unique_ptr<Cpu>> cpus_; // by number
	std::unique_ptr<EventMerge> merge_;
	Output stream_; // the common output, if everything goes to stdout
	pthread_t thread_;
	bool has_thread_ = false;
	Status result_ = Status(); // of the thread
	Status write_failure_ = Status();
	Fd stopped_; // eventfd: tracing is off, read the rest
	Fd failed_; // eventfd: the thread has failed
	uint64_t overwritten_ = 0;
	std::atomic<uint64_t> events_ = 0;
	std::atomic<uint64_t> lost_ = 0;
	std::atomic<uint64_t> bytes_ = 0;
};

} // namespace grtrace
