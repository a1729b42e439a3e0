// SPDX-License-Identifier: GPL-2.0
#include "words/export/perfetto_export.h"

#include <algorithm>
#include <cstring>

#include "format/vocabulary.h"
#include "lib/text/utf8_text.h"
#include "read/stream/note_text.h"
#include "words/export/file_exporter.h"
#include "words/export/perfetto_flows.h"
#include "words/export/perfetto_jobs.h"
#include "words/export/perfetto_tracks.h"
#include "words/export/perfetto_writer.h"
#include "words/ioctl/ioctl_call.h"

namespace grtrace {

namespace {

// Memory is that of tracks, names and jobs in flight.
class PerfettoCapture : public CaptureExport {
public:
	PerfettoCapture(OutputFile &out, uint32_t index, Capture &capture, const Capture &first)
		: out_(out, index + 1), tracks_(out_, index, capture.session()),
		  jobs_(out_, tracks_, index, capture.session()), index_(index), capture_(capture),
		  first_(first)
	{
	}

	void event(const Event &event) override;
	void gap(const Gap &gap) override;
	void job(const Job &job, JobLabel label) override;
	void other_job(const Job &job, JobLabel) override { flows_.take(job); }
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void lost(uint64_t from, uint64_t to) override;

private:
	// How many jobs a ring has.
	struct Depth {
		int64_t jobs = 0;
		int64_t hardware = 0;
		uint64_t ts = 0; // of the last change
	};

	void begin();
	void tell_lost(uint64_t from, uint64_t to, const Event *event);
	void tell_ioctl(const Event &event);
	void tell_error(const Event &event);
	void tell_queue(const Event &event);
	void tell_message(const Event &event);
	void count(uint32_t ring, int64_t jobs, int64_t hardware, uint64_t ts);
	void tell_depth(uint32_t ring, const Depth &depth, bool hardware);

	PerfettoWriter out_;
	PerfettoTracks tracks_;
	PerfettoJobs jobs_;
	PerfettoFlows flows_;
	uint32_t index_;
	Capture &capture_;
	const Capture &first_; // of all
	IdMap<Depth> depths_; // by ring
	uint64_t now_ = 0; // the latest event so far
	bool begun_ = false;
};

// Before the first packet: what a session says of itself stands before its
// events.
void PerfettoCapture::begin()
{
	const Session &mine = capture_.session();
	const Session &first = first_.session();

	if (begun_)
		return;
	begun_ = true;
	// The clocks of another boot are others.
	out_.clock(mine, mine.clock != first.clock ||
				 memcmp(mine.boot_id, first.boot_id, sizeof(mine.boot_id)) != 0);
}

void PerfettoCapture::tell_lost(uint64_t from, uint64_t to, const Event *event)
{
	const uint64_t until = std::max(from, to);
	const uint64_t track = tracks_.lost(from, until);

	out_.event(from, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "lost",
		   event ? "lost" : "missing");
	if (event) {
		const Lost lost = lost_of(*event);

		out_.annotate("cpu", event->cpu);
		out_.annotate("events", lost.events);
		out_.annotate("notes", lost.notes);
		out_.annotate("limited", lost.limited);
		out_.annotate("pressure", lost.pressure);
	}
	out_.write();
	out_.end_slice(until, track);
}

void PerfettoCapture::tell_ioctl(const Event &event)
{
	const IoctlCall call(event);
	const uint64_t from = event.ts - std::min(event.ts, call.duration);
	const uint64_t track = tracks_.call(event.pid, from, event.ts);

	out_.event(from, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "ioctl", call.name());
	out_.annotate("driver", call.driver);
	out_.annotate_signed("result", call.result);
	out_.write();
	out_.end_slice(event.ts, track);
}

void PerfettoCapture::tell_message(const Event &event)
{
	// Each is another one: there is no use in a number for it.
	out_.event(event.ts, tracks_.messages(), proto::TrackEvent::TYPE_INSTANT)
		.set_name(utf8_text(message_of(event)));
	out_.write();
}

void PerfettoCapture::tell_error(const Event &event)
{
	out_.event(event.ts, tracks_.ring(event.ring), proto::TrackEvent::TYPE_INSTANT, "error",
		   error_kind_name(event.kind));
	out_.annotate("ctx", event.ctx);
	out_.annotate("seqno", uint64_t(event.seqno));
	out_.annotate_signed("code", event.code);
	if (const std::string who = guilty_text(event); !who.empty())
		out_.annotate("guilty", who);
	if (const ErrorDetail detail = error_detail_of(event); !detail.text.empty())
		out_.annotate("text", printable(detail.text));
	out_.write();
}

void PerfettoCapture::tell_queue(const Event &event)
{
	const QueueChange change = queue_of(event);

	out_.event(event.ts, tracks_.ring(event.ring), proto::TrackEvent::TYPE_INSTANT, "queue",
		   fmt::format("{}: {}", queue_state_name(change.state),
			       queue_reason_name(change.reason)));
	out_.annotate("ctx", event.ctx);
	out_.annotate("client", change.client);
	out_.write();
}

void PerfettoCapture::event(const Event &event)
{
	begin();
	if (event.sequenced)
		now_ = std::max(now_, event.ts);
	switch (event.type) {
	case GRTRACE_LOST: {
		const Lost lost = lost_of(event);
		tell_lost(lost.first_ts, lost.last_ts, &event);
		break;
	}
	case GRTRACE_IOCTL:
		tell_ioctl(event);
		break;
	case GRTRACE_ERROR:
		tell_error(event);
		break;
	case GRTRACE_QUEUE:
		tell_queue(event);
		break;
	case GRTRACE_CTX_SWITCH:
		out_.event(event.ts, tracks_.ring(event.ring), proto::TrackEvent::TYPE_INSTANT,
			   "switch", "context switch");
		out_.annotate("from", event.fence_ctx);
		out_.annotate("to", event.ctx);
		out_.write();
		break;
	case GRTRACE_MESSAGE:
		tell_message(event);
		break;
	}
}

void PerfettoCapture::gap(const Gap &gap)
{
	begin();
	tell_lost(gap.from_ts, gap.to_ts, nullptr);
}

void PerfettoCapture::depends(const Job &job, uint64_t, uint32_t, const Job *on)
{
	if (on)
		flows_.depends(job, *on, index_);
}

void PerfettoCapture::waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to)
{
	const uint64_t track = tracks_.wait(pid, from, std::max(from, to));

	out_.event(from, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "wait", "wait");
	out_.annotate(job);
	out_.write();
	out_.end_slice(std::max(from, to), track);
	out_.event(std::max(from, to), tracks_.thread(pid), proto::TrackEvent::TYPE_INSTANT, "wait",
		   "woken")
		.add_terminating_flow_ids(PerfettoFlows::wake(job, index_));
	out_.write();
}

void PerfettoCapture::job(const Job &job, JobLabel label)
{
	begin();
	jobs_.tell(job, label, flows_.take(job));
}

bool is_there(JobPhase phase)
{
	return phase > JobPhase::unseen && phase < JobPhase::ended;
}

bool is_on_hardware(JobPhase phase)
{
	return phase == JobPhase::committed || phase == JobPhase::started;
}

void PerfettoCapture::moved(const Job &job, JobPhase from, uint64_t ts)
{
	const JobPhase to = job.phase;

	begin();
	count(job.ring, is_there(to) - is_there(from), is_on_hardware(to) - is_on_hardware(from),
	      ts);
}

void PerfettoCapture::count(uint32_t ring, int64_t jobs, int64_t hardware, uint64_t ts)
{
	Depth &depth = depths_.get(ring);

	// The steps of a ring may be a little out of order.
	depth.ts = std::max(depth.ts, ts);
	depth.jobs += jobs;
	depth.hardware += hardware;
	if (jobs)
		tell_depth(ring, depth, false);
	if (hardware)
		tell_depth(ring, depth, true);
}

void PerfettoCapture::tell_depth(uint32_t ring, const Depth &depth, bool hardware)
{
	out_.event(depth.ts, tracks_.depth(ring, hardware), proto::TrackEvent::TYPE_COUNTER)
		.set_counter_value(hardware ? depth.hardware : depth.jobs);
	out_.write();
}

// Nothing is known of the jobs in flight from here on.
void PerfettoCapture::lost(uint64_t from, uint64_t)
{
	depths_.for_each([&](uint64_t ring, Depth &depth) {
		depth.ts = std::max(depth.ts, std::min(from, now_));
		depth.jobs = 0;
		depth.hardware = 0;
		tell_depth(static_cast<uint32_t>(ring), depth, false);
		tell_depth(static_cast<uint32_t>(ring), depth, true);
	});
}

class PerfettoExporter : public FileExporter {
public:
	std::unique_ptr<CaptureExport> add(uint32_t index, Capture &capture) override
	{
		if (!first_)
			first_ = &capture;
		return std::make_unique<PerfettoCapture>(out_, index, capture, *first_);
	}

private:
	const Capture *first_ = nullptr;
};

} // namespace

std::unique_ptr<Exporter> make_perfetto_export(const ExportOptions &)
{
	return std::make_unique<PerfettoExporter>();
}

} // namespace grtrace
