// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"
#include "words/annotate/return_probe.h"

#include <cstdint>
#include <string>
#include <vector>

struct annotate_bpf;
struct bpf_link;
struct ring_buffer;

namespace grtrace {

class AnnotationStream;
struct AnnotateOptions;

// Handles the BPF programs from loading to the last record. Its memory is the kernel's
// buffer.
class DrmProbes {
public:
	// Counts of calls for which there is no record.
	struct Rest {
		uint64_t unpaired = 0; // they returned, but had begun before the probes
		uint64_t inside = 0; // they did not return before the end
	};

	DrmProbes() = default;
	DrmProbes(const DrmProbes &) = delete;
	DrmProbes &operator=(const DrmProbes &) = delete;
	~DrmProbes();

	Status load(const AnnotateOptions &options);

	// Adds a sentence to missing for each optional feature that this kernel lacks.
	Status attach(std::vector<std::string> *missing);

	// Waiting on fd() and calling read() delivers records.
	int fd() const;
	Status read(AnnotationStream *stream);

	// To be called after the last read(): detaches, reads the records that came
	// meanwhile, and adds losses that were not reported yet.
	Status finish(AnnotationStream *stream, Rest *rest);

	// Return how many probes are attached, and how many this kernel can have; known
	// after attach().
	uint32_t probes() const { return probes_; }
	static constexpr uint32_t known_probes = 4;

private:
	Status open(const AnnotateOptions &options);
	Status set_up(const AnnotateOptions &options);
	Status attach_pair(struct bpf_program *entry, struct bpf_program *exit,
			   const char *function, ReturnProbe *probe);
	void add_losses(AnnotationStream *stream, Rest *rest);
	void add_missed(AnnotationStream *stream);
	uint64_t count_inside() const;

	annotate_bpf *bpf_ = nullptr;
	ReturnProbe ioctl_return_;
	ReturnProbe wait_return_;
	bool waits_ = false;
	ring_buffer *records_ = nullptr;
	std::vector<bpf_link *> entries_;
	uint32_t probes_ = 0;
	uint64_t attached_ts_ = 0;
	AnnotationStream *stream_ = nullptr; // set while read() runs
};

} // namespace grtrace
