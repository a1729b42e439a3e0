// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_contexts.h"

namespace grtrace {

static bool is_later(uint32_t seqno, uint32_t than)
{
	return static_cast<int32_t>(seqno - than) > 0;
}

VerifyContexts::Context &VerifyContexts::get(uint64_t ctx)
{
	if (contexts_.size() >= most)
		contexts_.clear();
	return contexts_.get(ctx);
}

bool VerifyContexts::proves_submit(const Event &event, uint64_t &since)
{
	const Context &ctx = get(event.ctx);

	// The SUBMIT came right after the newest one, or somewhere among the others.
	since = is_later(event.seqno, ctx.newest) ? ctx.newest_ts : ctx.first_ts;
	return ctx.submits && is_later(event.seqno, ctx.lowest);
}

void VerifyContexts::check(const Event &event, Context &ctx, const RecordPlace *in_flight,
			   bool at_rest)
{
	const bool again = !is_later(event.seqno, ctx.lowest);

	if (!ctx.submits || is_later(event.seqno, ctx.newest))
		return;
	if (in_flight && !(again && at_rest)) {
		findings_.suspect(FaultKind::submit_twice, RecordPlace(event),
				  "the job is in flight: a seqno is used once", in_flight->ts,
				  event.ts);
		return;
	}
	if (again) {
		findings_.add(FaultKind::seqno_order, Severity::note, RecordPlace(event),
			      "its context begins again: its number was given to another context");
		ctx = {};
		return;
	}
	if (event.cpu != ctx.newest_cpu && event.ts < ctx.newest_ts)
		return;
	findings_.suspect(
		FaultKind::seqno_order, RecordPlace(event),
		fmt::format("seqno {} of its context was submitted before: seqnos count up",
			    ctx.newest),
		ctx.newest_ts, event.ts);
}

void VerifyContexts::submit(const Event &event, const RecordPlace *in_flight, bool at_rest)
{
	Context &ctx = get(event.ctx);

	check(event, ctx, in_flight, at_rest);
	if (!ctx.submits) {
		ctx.lowest = ctx.newest = event.seqno;
		ctx.first_ts = event.ts;
	}
	if (!ctx.submits || is_later(event.seqno, ctx.newest)) {
		ctx.newest = event.seqno;
		ctx.newest_ts = event.ts;
		ctx.newest_cpu = event.cpu;
	}
	ctx.submits = true;
}

void VerifyContexts::complete(const Event &event)
{
	Context &ctx = get(event.ctx);

	if (!ctx.complete.type || !is_later(ctx.complete.seqno, event.seqno)) {
		ctx.complete = RecordPlace(event);
		ctx.cancelled = event.error();
		return;
	}
	if (is_before(ctx.complete, event))
		findings_.suspect(FaultKind::complete_order, RecordPlace(event),
				  fmt::format("seqno {} of its context was complete before, with "
					      "gseq {}: fences of a context are signalled in order",
					      ctx.complete.seqno, ctx.complete.gseq),
				  ctx.complete.ts, event.ts, ctx.cancelled || event.error());
}

} // namespace grtrace
