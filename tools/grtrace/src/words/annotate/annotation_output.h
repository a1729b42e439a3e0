// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/packet_output.h"
#include "words/annotate/annotation_stream.h"
#include "words/annotate/drm_probes.h"

#include <cstdint>
#include <memory>

namespace grtrace {

struct AnnotateOptions;

// The capture of an annotation: the stream made from the probes' records, and its
// output.
class AnnotationOutput {
public:
	Status open(const AnnotateOptions &options);
	// The stream begins now; from here on there is one. @probes: attached ones
	void begin(uint32_t probes);
	AnnotationStream &stream() { return *stream_; }

	// Writes what the stream has made since the last time.
	Status write();
	Status close() { return output_.close(); }
	// The run did not start.
	void give_up() { output_.remove_if_empty(); }

	// The totals for the user. @rest: calls that are in no record
	void print_end(const DrmProbes::Rest &rest, bool to_stdout) const;

private:
	Output output_;
	std::unique_ptr<AnnotationStream> stream_;
};

} // namespace grtrace
