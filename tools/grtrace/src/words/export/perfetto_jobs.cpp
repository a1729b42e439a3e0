// SPDX-License-Identifier: GPL-2.0
#include "words/export/perfetto_jobs.h"

#include <algorithm>
#include <initializer_list>

namespace grtrace {

using Level = PerfettoTracks::Level;
using Stage = proto::InternedGpuRenderStageSpecification;

std::string PerfettoJobs::name_of(const Job &job)
{
	const Task *task = job.submit_ts == Job::none ? nullptr : session_.tasks.find(job.pid);

	return task ? std::string(task->name()) : "?";
}

void PerfettoJobs::tell_submit(const Job &job)
{
	if (job.submit_ts == Job::none)
		return;
	out_.event(job.submit_ts, tracks_.thread(job.pid), proto::TrackEvent::TYPE_INSTANT, "job",
		   "submit")
		.add_flow_ids(PerfettoFlows::steps(job, index_));
	out_.annotate(job);
	out_.write();
}

// The first of these steps that is known, and not before the one that began.
static uint64_t end_of(uint64_t begin, std::initializer_list<uint64_t> steps)
{
	for (const uint64_t step : steps)
		if (step != Job::none)
			return std::max(begin, step);
	return Job::none;
}

void PerfettoJobs::tell_queue(const Job &job, const std::string &name)
{
	if (job.submit_ts == Job::none)
		return;

	const uint64_t end = end_of(job.submit_ts, {job.commit_ts, job.pick_ts, job.start_ts,
						    job.end_ts, job.complete_ts});
	const uint64_t track = tracks_.lane(job.ring, Level::queue, job.submit_ts, end);

	out_.event(job.submit_ts, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "queue", name)
		.add_flow_ids(PerfettoFlows::steps(job, index_));
	out_.annotate(job);
	out_.write();
	// The time that it spent blocked is inside, or is left out.
	if (job.blocked() != Job::none && job.blocked_ts >= job.submit_ts && job.pick_ts <= end) {
		out_.event(job.blocked_ts, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "queue",
			   "blocked");
		out_.annotate("fence_ctx", job.blocker_ctx);
		out_.annotate("fence_seqno", uint64_t(job.blocker_seqno));
		out_.write();
		out_.end_slice(job.pick_ts, track);
	}
	if (end != Job::none)
		out_.end_slice(end, track);
}

void PerfettoJobs::tell_hardware(const Job &job, const std::string &name)
{
	if (job.commit_ts == Job::none)
		return;

	const uint64_t end = end_of(job.commit_ts, {job.start_ts, job.end_ts, job.complete_ts});
	const uint64_t track = tracks_.lane(job.ring, Level::hardware, job.commit_ts, end);

	out_.event(job.commit_ts, track, proto::TrackEvent::TYPE_SLICE_BEGIN, "hardware", name)
		.add_flow_ids(PerfettoFlows::steps(job, index_));
	out_.annotate(job);
	out_.write();
	if (end != Job::none)
		out_.end_slice(end, track);
}

void PerfettoJobs::tell_running(const Job &job, const std::string &name,
				const PerfettoFlows::Arrows &arrows)
{
	if (job.start_ts == Job::none)
		return;

	const uint64_t end = end_of(job.start_ts, {job.end_ts, job.complete_ts});
	const uint64_t track = tracks_.lane(job.ring, Level::running, job.start_ts, end);
	proto::TrackEvent &event = out_.event(job.start_ts, track,
					      proto::TrackEvent::TYPE_SLICE_BEGIN, "running", name);

	event.add_flow_ids(PerfettoFlows::steps(job, index_));
	for (const uint64_t arrow : arrows.in)
		event.add_terminating_flow_ids(arrow);
	out_.annotate(job);
	if (job.start_inferred)
		out_.annotate("inferred", "start");
	out_.write();
	if (end != Job::none)
		out_.end_slice(end, track);
}

// What Perfetto has for GPUs: its own tables are filled from these.
void PerfettoJobs::tell_stage(const Job &job, const std::string &name)
{
	const Ring &ring = session_.rings.find(job.ring);
	const Task *task = session_.tasks.find(job.pid);

	if (job.exec() == Job::none || !ring.known)
		return;

	proto::GpuRenderStageEvent &stage =
		*out_.packet(job.start_ts).mutable_gpu_render_stage_event();
	stage.set_event_id(++stages_);
	stage.set_duration(job.exec());
	// One number for all captures of the trace.
	stage.set_gpu_id(static_cast<int32_t>(index_ << 16 | ring.device));
	stage.set_context(out_.context(job.ctx, task ? task->tgid : job.pid));
	stage.set_submission_id(job.seqno_low());
	stage.set_hw_queue_iid(
		out_.stage(ring.name, ring.engine_class == GRTRACE_CLASS_RENDER  ? Stage::GRAPHICS :
				      ring.engine_class == GRTRACE_CLASS_COMPUTE ? Stage::COMPUTE :
										   Stage::OTHER));
	// A process may be called as a ring is.
	stage.set_stage_iid(out_.stage(name + " job", Stage::OTHER));
	out_.write();
}

void PerfettoJobs::tell_complete(const Job &job, JobLabel label,
				 const PerfettoFlows::Arrows &arrows)
{
	if (job.complete_ts == Job::none)
		return;

	proto::TrackEvent &event = out_.event(job.complete_ts, tracks_.ring(job.ring),
					      proto::TrackEvent::TYPE_INSTANT, "job", "complete");
	event.add_terminating_flow_ids(PerfettoFlows::steps(job, index_));
	if (job.waits)
		event.add_flow_ids(PerfettoFlows::wake(job, index_));
	for (const uint64_t arrow : arrows.out)
		event.add_flow_ids(arrow);
	out_.annotate(job);
	out_.annotate("label", job_label_name(label));
	out_.annotate_signed("error", job.error);
	out_.annotate("weight", uint64_t(job.weight));
	out_.write();
}

void PerfettoJobs::tell(const Job &job, JobLabel label, const PerfettoFlows::Arrows &arrows)
{
	const std::string name = name_of(job);

	tell_submit(job);
	tell_queue(job, name);
	tell_hardware(job, name);
	tell_running(job, name, arrows);
	tell_stage(job, name);
	tell_complete(job, label, arrows);
}

} // namespace grtrace
