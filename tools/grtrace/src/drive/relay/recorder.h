// SPDX-License-Identifier: GPL-2.0
#pragma once

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

// The recorder's outputs.
struct RecordPlan {
	std::string base; // <base>.grtrace.<cpu>; "-": all to stdout
	size_t subbuf_bytes = 0;
	bool live = true; // false: read nothing before the end
};

// Moves the channel of every CPU to its output, with one thread per CPU. It
// moves bytes and knows no record; starting and stopping the session is its
// caller's business:
//
//	prepare()       before the session: all that can fail for lack of
//			room or permission fails here
//	begin()         the session runs: metadata, trace files, threads
//	adopt_cpus()    now and then: CPUs that came online
//	finish()        the session has stopped: drain, metadata again, close
//
// A read of a trace file returns whole packets if the buffer holds a
// sub-buffer, so the packets of the CPUs cannot mix in one output.
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

	// Whether this CPU is recorded, and the bytes read from it so far.
	bool has(unsigned int cpu) const { return find(cpu); }
	uint64_t bytes(unsigned int cpu) const;

private:
	struct Cpu;

	Status add(unsigned int cpu);
	Status start(Cpu &cpu);
	Status write_metadata(Output &output);
	Status write_others(unsigned int highest);
	void close_outputs(std::vector<Status> *results);
	static void *thread_main(void *cpu);
	Status follow(Cpu &cpu);
	Status read_once(Cpu &cpu, std::vector<char> &buffer, size_t *got);
	Cpu *find(unsigned int cpu) const;

	const Control &control_;
	const RecordPlan plan_;
	Output stream_; // where all go, if all go to stdout
	std::vector<std::unique_ptr<Cpu>> cpus_;
	Fd stopped_; // eventfd: the session has stopped, drain and end
	Fd failed_; // eventfd: a thread has failed
};

} // namespace grtrace
