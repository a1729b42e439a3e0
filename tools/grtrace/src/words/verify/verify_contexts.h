// SPDX-License-Identifier: GPL-2.0
//
// VerifyContexts: checks that the jobs of a context follow each other.
#pragma once

#include <cstdint>

#include "read/capture/capture.h"
#include "words/data/id_map.h"
#include "words/verify/verify_findings.h"

namespace grtrace {

// Seqnos of a context increase, from SUBMIT to SUBMIT and from COMPLETE to COMPLETE; they
// wrap. The kernel never reuses the number of a context, but some drivers keep only 32 of its
// 64 bits: if the seqnos of a context begin again at the first, it is another context. Memory grows with contexts, up to `most`.
class VerifyContexts {
public:
	static constexpr size_t most = 1 << 20;

	// Both must outlive it.
	VerifyContexts(const Capture &capture, VerifyFindings &findings)
		: capture_(capture), findings_(findings)
	{
	}

	// in_flight: the SUBMIT of a job of the same key that is not over, or nullptr;
	// at_rest: the newest job of the context is over.
	void submit(const Event &event, const RecordPlace *in_flight, bool at_rest);
	void complete(const Event &event);

	// Returns the seqno that was submitted last.
	uint32_t newest(uint64_t ctx) { return get(ctx).newest; }
	// Returns whether a job without a SUBMIT must have been submitted since the capture
	// began. If it returns true, since is set to a time before that SUBMIT.
	bool proves_submit(const Event &event, uint64_t &since);

private:
	struct Context {
		uint32_t lowest = 0; // lowest seqno of a SUBMIT since the context began
		uint32_t newest = 0;
		uint64_t first_ts = 0;
		uint64_t newest_ts = 0;
		uint32_t newest_cpu = 0;
		RecordPlace complete; // with the greatest seqno
		bool cancelled = false; // the COMPLETE has an error
		bool submits = false;
	};

	Context &get(uint64_t ctx);
	void check(const Event &event, Context &ctx, const RecordPlace *in_flight, bool at_rest);

	const Capture &capture_;
	VerifyFindings &findings_;
	IdMap<Context> contexts_;
};

} // namespace grtrace
