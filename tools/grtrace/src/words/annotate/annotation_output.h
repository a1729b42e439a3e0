// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/packet_output.h"
#include "words/annotate/annotation_stream.h"
#include "words/annotate/drm_probes.h"

#include <cstdint>
#include <memory>

namespace grtrace {

struct AnnotateOptions;

// The output of an annotation: a capture made from the records of the probes.
class AnnotationOutput {
public:
	Status open(const AnnotateOptions &options);
	// Begins the stream. @probes: how many are attached
	void begin(uint32_t probes);
	AnnotationStream &stream() { return *stream_; }

	// Writes the part of the stream that was made since the last call.
	Status write();
	// Does so too, with the end of the stream.
	Status end();
	Status close() { return output_.close(); }
	// To be called if the run has failed to start.
	void give_up() { output_.remove_if_empty(); }

	// Prints the totals for the user. @rest: calls without a record
	void print_end(const DrmProbes::Rest &rest, bool to_stdout) const;

private:
	Output output_;
	std::unique_ptr<AnnotationStream> stream_;
};

} // namespace grtrace
