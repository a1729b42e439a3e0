// SPDX-License-Identifier: GPL-2.0
//
// Our own output must be readable without damage; and each record of any input is
// read, or lost.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "read/capture/capture.h"

namespace grtrace {

using Bytes = std::vector<uint8_t>;

// Returns the bytes with no large CPU number in a packet: tables of all CPUs up to 65535 cost
// more than everything else. One input in 13, by its size, keeps its numbers.
inline Bytes near_cpus(const uint8_t *data, size_t size)
{
	constexpr size_t cpu =
		offsetof(grtrace_rec_packet, cpu) - offsetof(grtrace_rec_packet, magic);
	Bytes bytes(data, data + size);
	uint8_t *at = bytes.data(), *const end = at + size;

	while (size % 13 &&
	       (at = static_cast<uint8_t *>(memmem(at, size_t(end - at), "GRTR", 4)))) {
		const bool is_number = end - at >= ptrdiff_t(cpu + 4) && at[cpu + 2] != 0xff;

		if (is_number)
			memset(at + cpu + 1, 0, 3);
		at += 4;
	}
	return bytes;
}

// Adds up what comes out of a capture, to compare it with how far each CPU's
// numbers went.
class StreamSum {
public:
	void feed(const Event &event)
	{
		if (event.cpu >= cpus_.size())
			cpus_.resize(event.cpu + 1);
		if (event.sequenced)
			cpus_[event.cpu]++;
		else
			cpus_[event.cpu] += lost_of(event).records();
	}
	void lose(const std::vector<Gap> &gaps)
	{
		for (const Gap &gap : gaps)
			gaps_ = add_up(gaps_, gap.records);
	}
	// When all was read.
	void check(const Capture &capture)
	{
		const StreamStats &stats = capture.stats();

		// Its events are not wanted.
		if (capture.session().refused)
			return;
		cpus_.resize(std::max(cpus_.size(), stats.cpus.size()));
		for (size_t i = 0; i < cpus_.size(); i++) {
			const CpuStats &cpu = i < stats.cpus.size() ? stats.cpus[i] : CpuStats();

			// Written = read + reported as lost + jumped over.
			if (cpu.next_cseq != cpus_[i] + cpu.missing ||
			    cpus_[i] != cpu.records + cpu.lost)
				abort();
		}
		// Each counted record was reported, once.
		if (stats.unordered ? gaps_ < stats.missing : gaps_ != stats.missing)
			abort();
		if (capture.unseen() > stats.missing)
			abort();
	}

private:
	std::vector<uint64_t> cpus_; // records
	uint64_t gaps_ = 0;
};

// Returns how many bytes are damaged, where no CPU lost more records than there can be:
// a writer that is given such a number writes it, and the rest of the stream does not
// fit to it.
inline uint64_t check_sum(std::vector<std::vector<uint8_t>> streams, bool per_cpu)
{
	bool impossible = false;
	Diagnostics diagnostics([&](const std::string &sentence) {
		impossible |= sentence.find("a LOST of more records than") != sentence.npos;
	});
	Capture capture(diagnostics);
	StreamSum sum;
	const Event *event;

	capture.open_memory(std::move(streams), per_cpu);
	while (capture.next(event) == Next::event)
		sum.feed(*event);
	sum.lose(capture.take_gaps());
	sum.check(capture);
	for (const CpuStats &cpu : capture.stats().cpus)
		impossible |= cpu.lost > near_numbers;
	return impossible ? 0 : capture.stats().damaged_bytes;
}

inline void check_readable(std::vector<std::vector<uint8_t>> streams, bool per_cpu)
{
	if (check_sum(std::move(streams), per_cpu))
		abort();
}

} // namespace grtrace
