// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "format/host_facts.h"
#include "lib/files/fd.h"
#include "lib/files/packet_output.h"
#include "lib/text/status.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace grtrace {

class Control;

// The outputs of the recorder.
struct RecordPlan {
	std::string base; // <base>.grtrace.<cpu>; "-": all to stdout
	size_t subbuf_bytes = 0;
	bool live = true; // false: nothing is read before the end
	// Roll: write captures of about that size, <base>.000001.grtrace.<cpu> and so on, and
	// remove all but the last @keep. Each can be read alone. 0: write one capture.
	uint64_t segment_bytes = 0;
	uint64_t keep = UINT64_MAX;
	HostFacts host; // for the metadata
};

// Moves the channel of every CPU to its output, with one thread per CPU. It copies bytes
// without parsing records; its caller starts and stops the session:
//
//	prepare() before the session: fails if there is no room or no permission
//	begin()         the session runs: open metadata and trace files, start threads
//	adopt_cpus()    from time to time: add CPUs that came online
//	finish()        the session has stopped: drain, read metadata again, close
//
// If the buffer can hold a sub-buffer, a read of a trace file returns whole packets, so the
// packets of different CPUs cannot mix in one output.
class Recorder {
public:
	Recorder(const Control &control, const RecordPlan &plan);
	~Recorder();

	Status prepare(const std::vector<unsigned int> &cpus);
	Status begin();
	Status adopt_cpus();
	Status finish();

	// Readable once a CPU's thread has failed; finish() says why.
	int failure_fd() const { return failed_.get(); }

	// Return whether this CPU is recorded, and how many bytes were read from it so far.
	bool has(unsigned int cpu) const { return find(cpu); }
	uint64_t bytes(unsigned int cpu) const;
	// Returns how many captures of this recording it has removed again.
	uint64_t removed() const;

private:
	struct Cpu;

	Status add(unsigned int cpu);
	Status start(Cpu &cpu);
	uint64_t segment() const;
	std::string path(const Cpu &cpu) const;
	Status roll(Cpu &cpu);
	Status roll_others(unsigned int highest);
	Status write_metadata(Output &output, uint64_t segment = 0);
	Status write_others(unsigned int highest);
	Status close_outputs();
	static void *thread_main(void *cpu);
	Status follow(Cpu &cpu);
	Status read_once(Cpu &cpu, std::vector<char> &buffer, size_t *got);
	Cpu *find(unsigned int cpu) const;

	const Control &control_;
	const RecordPlan plan_;
	Output stream_; // the common output, if everything goes to stdout
	std::vector<std::unique_ptr<Cpu>> cpus_;
	std::atomic<uint64_t> read_ = 0; // bytes of all CPUs
	uint64_t first_ = 0; // number of the first segment; 0: it does not roll
	uint64_t removed_to_ = 0; // segments up to this one were removed
	Fd stopped_; // eventfd: the session has stopped, drain and end
	Fd failed_; // eventfd: a thread has failed
};

} // namespace grtrace
