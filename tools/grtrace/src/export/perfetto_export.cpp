// SPDX-License-Identifier: GPL-2.0
#include "export/perfetto_export.h"

#include <algorithm>
#include <cstring>

#include "export/perfetto_flows.h"
#include "export/perfetto_tracks.h"
#include "export/perfetto_writer.h"
#include "ioctl_call.h"
#include "job_labeller.h"
#include "output_file.h"
#include "utf8_text.h"
#include "vocabulary.h"

namespace grtrace {

namespace {

using Level = PerfettoTracks::Level;
using Stage = proto::InternedGpuRenderStageSpecification;

// Memory is that of tracks, names and jobs in flight.
class PerfettoCapture : public CaptureExport {
public:
	PerfettoCapture(OutputFile &out, uint32_t index, Capture &capture,
			const Capture &first)
		: out_(out, index + 1), tracks_(out_, index, capture.session()),
		  index_(index), capture_(capture), first_(first), labeller_({})
	{
	}

	void event(const Event &event) override;
	void gap(const Gap &gap) override;
	void job(const Job &job) override;
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno,
		     const Job *on) override;
	void waited(const Job &job, uint32_t pid, uint64_t from,
		    uint64_t to) override;
	void lost(uint64_t from, uint64_t to) override;

private:
	// How many jobs a ring has.
	struct Depth {
		int64_t jobs = 0;
		int64_t hardware = 0;
		uint64_t ts = 0; // of the last change
	};

	void begin();
	proto::TrackEvent &track_event(uint64_t ts, uint64_t track,
				       proto::TrackEvent::Type type);
	proto::TrackEvent &named_event(uint64_t ts, uint64_t track,
				       proto::TrackEvent::Type type,
				       const char *category,
				       std::string_view name);
	void end_slice(uint64_t ts, uint64_t track);
	void annotate(const Job &job);
	void tell_lost(uint64_t from, uint64_t to, const Event *event);
	void tell_ioctl(const Event &event);
	void tell_error(const Event &event);
	std::string name_of(const Job &job);
	void tell_submit(const Job &job);
	void tell_queue(const Job &job, const std::string &name);
	void tell_hardware(const Job &job, const std::string &name);
	void tell_running(const Job &job, const std::string &name,
			  const PerfettoFlows::Arrows &arrows);
	void tell_stage(const Job &job, const std::string &name);
	void tell_complete(const Job &job, JobLabel label,
			   const PerfettoFlows::Arrows &arrows);
	void count(uint32_t ring, int64_t jobs, int64_t hardware, uint64_t ts);
	void tell_depth(uint32_t ring, const Depth &depth, bool hardware);

	PerfettoWriter out_;
	PerfettoTracks tracks_;
	PerfettoFlows flows_;
	uint32_t index_;
	Capture &capture_;
	const Capture &first_; // of all
	JobLabeller labeller_;
	IdMap<Depth> depths_; // by ring
	uint64_t stages_ = 0; // told
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
				 memcmp(mine.boot_id, first.boot_id,
					sizeof(mine.boot_id)) != 0);
}

proto::TrackEvent &PerfettoCapture::track_event(uint64_t ts, uint64_t track,
						proto::TrackEvent::Type type)
{
	proto::TrackEvent &event = *out_.packet(ts).mutable_track_event();

	event.set_type(type);
	event.set_track_uuid(track);
	return event;
}

proto::TrackEvent &PerfettoCapture::named_event(uint64_t ts, uint64_t track,
						proto::TrackEvent::Type type,
						const char *category,
						std::string_view name)
{
	proto::TrackEvent &event = track_event(ts, track, type);

	event.add_category_iids(out_.category(category));
	event.set_name_iid(out_.event_name(name));
	return event;
}

void PerfettoCapture::end_slice(uint64_t ts, uint64_t track)
{
	track_event(ts, track, proto::TrackEvent::TYPE_SLICE_END);
	out_.write();
}

void PerfettoCapture::annotate(const Job &job)
{
	out_.annotate("ctx", job.ctx);
	out_.annotate("seqno", job.seqno);
}

void PerfettoCapture::tell_lost(uint64_t from, uint64_t to, const Event *event)
{
	const uint64_t until = std::max(from, to);
	const uint64_t track = tracks_.lost(from, until);

	named_event(from, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "lost",
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
	end_slice(until, track);
}

void PerfettoCapture::tell_ioctl(const Event &event)
{
	const IoctlCall call(event);
	const uint64_t from = event.ts - std::min(event.ts, call.duration);
	const uint64_t track = tracks_.call(event.pid, from, event.ts);

	named_event(from, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "ioctl",
		    call.name());
	out_.annotate("driver", call.driver);
	out_.annotate_signed("result", call.result);
	out_.write();
	end_slice(event.ts, track);
}

void PerfettoCapture::tell_error(const Event &event)
{
	named_event(event.ts, tracks_.ring(event.ring),
		    proto::TrackEvent::TYPE_INSTANT, "error",
		    error_kind_name(event.kind));
	out_.annotate("ctx", event.ctx);
	out_.annotate("seqno", uint64_t(event.seqno));
	out_.annotate_signed("code", event.code);
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
	case GRTRACE_CTX_SWITCH:
		named_event(event.ts, tracks_.ring(event.ring),
			    proto::TrackEvent::TYPE_INSTANT, "switch",
			    "context switch");
		out_.annotate("from", event.fence_ctx);
		out_.annotate("to", event.ctx);
		out_.write();
		break;
	case GRTRACE_MESSAGE:
		// Each is another one: there is no use in a number for it.
		track_event(event.ts, tracks_.messages(),
			    proto::TrackEvent::TYPE_INSTANT)
			.set_name(utf8_text(message_of(event)));
		out_.write();
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

void PerfettoCapture::waited(const Job &job, uint32_t pid, uint64_t from,
			     uint64_t to)
{
	const uint64_t track = tracks_.wait(pid, from, std::max(from, to));

	named_event(from, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "wait",
		    "wait");
	annotate(job);
	out_.write();
	end_slice(std::max(from, to), track);
	named_event(std::max(from, to), tracks_.thread(pid),
		    proto::TrackEvent::TYPE_INSTANT, "wait", "woken")
		.add_terminating_flow_ids(PerfettoFlows::wake(job, index_));
	out_.write();
}

std::string PerfettoCapture::name_of(const Job &job)
{
	const Task *task = job.submit_ts == Job::none ?
				   nullptr :
				   capture_.session().tasks.find(job.pid);

	return task ? std::string(task->name()) : "?";
}

void PerfettoCapture::tell_submit(const Job &job)
{
	if (job.submit_ts == Job::none)
		return;
	named_event(job.submit_ts, tracks_.thread(job.pid),
		    proto::TrackEvent::TYPE_INSTANT, "job", "submit")
		.add_flow_ids(PerfettoFlows::steps(job, index_));
	annotate(job);
	out_.write();
}

// The first of these steps that is known and not before the one that began.
uint64_t end_of(uint64_t begin, std::initializer_list<uint64_t> steps)
{
	for (const uint64_t step : steps)
		if (step != Job::none)
			return std::max(begin, step);
	return Job::none;
}

void PerfettoCapture::tell_queue(const Job &job, const std::string &name)
{
	if (job.submit_ts == Job::none)
		return;

	const uint64_t end =
		end_of(job.submit_ts, {job.commit_ts, job.pick_ts, job.start_ts,
				       job.end_ts, job.complete_ts});
	const uint64_t track =
		tracks_.lane(job.ring, Level::queue, job.submit_ts, end);

	named_event(job.submit_ts, track, proto::TrackEvent::TYPE_SLICE_BEGIN,
		    "queue", name)
		.add_flow_ids(PerfettoFlows::steps(job, index_));
	annotate(job);
	out_.write();
	// What it spent blocked lies inside, or is left out.
	if (job.blocked() != Job::none && job.blocked_ts >= job.submit_ts &&
	    job.pick_ts <= end) {
		named_event(job.blocked_ts, track,
			    proto::TrackEvent::TYPE_SLICE_BEGIN, "queue",
			    "blocked");
		out_.annotate("fence_ctx", job.blocker_ctx);
		out_.annotate("fence_seqno", uint64_t(job.blocker_seqno));
		out_.write();
		end_slice(job.pick_ts, track);
	}
	if (end != Job::none)
		end_slice(end, track);
}

void PerfettoCapture::tell_hardware(const Job &job, const std::string &name)
{
	if (job.commit_ts == Job::none)
		return;

	const uint64_t end = end_of(
		job.commit_ts, {job.start_ts, job.end_ts, job.complete_ts});
	const uint64_t track =
		tracks_.lane(job.ring, Level::hardware, job.commit_ts, end);

	named_event(job.commit_ts, track, proto::TrackEvent::TYPE_SLICE_BEGIN,
		    "hardware", name)
		.add_flow_ids(PerfettoFlows::steps(job, index_));
	annotate(job);
	out_.write();
	if (end != Job::none)
		end_slice(end, track);
}

void PerfettoCapture::tell_running(const Job &job, const std::string &name,
				   const PerfettoFlows::Arrows &arrows)
{
	if (job.start_ts == Job::none)
		return;

	const uint64_t end =
		end_of(job.start_ts, {job.end_ts, job.complete_ts});
	const uint64_t track =
		tracks_.lane(job.ring, Level::running, job.start_ts, end);
	proto::TrackEvent &event = named_event(
		job.start_ts, track, proto::TrackEvent::TYPE_SLICE_BEGIN,
		"running", name);

	event.add_flow_ids(PerfettoFlows::steps(job, index_));
	for (const uint64_t arrow : arrows.in)
		event.add_terminating_flow_ids(arrow);
	annotate(job);
	if (job.start_inferred)
		out_.annotate("inferred", "start");
	out_.write();
	if (end != Job::none)
		end_slice(end, track);
}

// What Perfetto has for GPUs: its own tables are filled from these.
void PerfettoCapture::tell_stage(const Job &job, const std::string &name)
{
	const Ring &ring = capture_.session().rings.find(job.ring);
	const Task *task = capture_.session().tasks.find(job.pid);

	if (job.exec() == Job::none || !ring.known)
		return;

	proto::GpuRenderStageEvent &stage =
		*out_.packet(job.start_ts).mutable_gpu_render_stage_event();
	stage.set_event_id(++stages_);
	stage.set_duration(job.exec());
	stage.set_gpu_id(static_cast<int32_t>(ring.device));
	stage.set_context(out_.context(job.ctx, task ? task->tgid : job.pid));
	stage.set_submission_id(job.seqno_low());
	stage.set_hw_queue_iid(out_.stage(
		ring.name,
		ring.engine_class == GRTRACE_CLASS_RENDER  ? Stage::GRAPHICS :
		ring.engine_class == GRTRACE_CLASS_COMPUTE ? Stage::COMPUTE :
							     Stage::OTHER));
	// A process may be called as a ring is.
	stage.set_stage_iid(out_.stage(name + " job", Stage::OTHER));
	out_.write();
}

void PerfettoCapture::tell_complete(const Job &job, JobLabel label,
				    const PerfettoFlows::Arrows &arrows)
{
	if (job.complete_ts == Job::none)
		return;

	proto::TrackEvent &event =
		named_event(job.complete_ts, tracks_.ring(job.ring),
			    proto::TrackEvent::TYPE_INSTANT, "job", "complete");
	event.add_terminating_flow_ids(PerfettoFlows::steps(job, index_));
	if (job.waits)
		event.add_flow_ids(PerfettoFlows::wake(job, index_));
	for (const uint64_t arrow : arrows.out)
		event.add_flow_ids(arrow);
	annotate(job);
	out_.annotate("label", job_label_name(label));
	out_.annotate_signed("error", job.error);
	out_.annotate("weight", uint64_t(job.weight));
	out_.write();
}

void PerfettoCapture::job(const Job &job)
{
	const std::string name = name_of(job);
	const JobLabel label = labeller_.label(job);
	const PerfettoFlows::Arrows arrows = flows_.take(job);

	begin();
	tell_submit(job);
	tell_queue(job, name);
	tell_hardware(job, name);
	tell_running(job, name, arrows);
	tell_stage(job, name);
	tell_complete(job, label, arrows);
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
	count(job.ring, is_there(to) - is_there(from),
	      is_on_hardware(to) - is_on_hardware(from), ts);
}

void PerfettoCapture::count(uint32_t ring, int64_t jobs, int64_t hardware,
			    uint64_t ts)
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

void PerfettoCapture::tell_depth(uint32_t ring, const Depth &depth,
				 bool hardware)
{
	track_event(depth.ts, tracks_.depth(ring, hardware),
		    proto::TrackEvent::TYPE_COUNTER)
		.set_counter_value(hardware ? depth.hardware : depth.jobs);
	out_.write();
}

// Nothing is known of the jobs in flight any more.
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

class PerfettoExporter : public Exporter {
public:
	Status open(const std::string &path) override
	{
		return out_.replace(path);
	}
	std::unique_ptr<CaptureExport> add(uint32_t index,
					   Capture &capture) override
	{
		if (!first_)
			first_ = &capture;
		return std::make_unique<PerfettoCapture>(out_, index, capture,
							 *first_);
	}
	void flush() override { out_.flush(); }
	bool failed() const override { return out_.failed(); }
	Status close() override { return out_.close(); }

private:
	OutputFile out_;
	const Capture *first_ = nullptr;
};

} // namespace

std::unique_ptr<Exporter> make_perfetto_export(const ExportOptions &)
{
	return std::make_unique<PerfettoExporter>();
}

} // namespace grtrace
