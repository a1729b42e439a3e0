// SPDX-License-Identifier: GPL-2.0
//
// Jobs by the events of drivers, for files that lack those of the scheduler. Where both are
// there, the scheduler's say more. Most drivers number their jobs, but do not name the
// fence, so a job's key is made of its ring and its number.
#include "words/translate/translator.h"

#include <cerrno>

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

namespace grtrace {

FenceId Translator::driver_key(const TraceRing &ring, uint64_t queue, uint64_t number)
{
	MadeContext &made = made_[{ring.id, queue}];

	if (!made.ctx)
		made.ctx = next_made_ctx_++;
	return {made.ctx, uint32_t(number)};
}

void Translator::driver_queue(const Now &now, TraceRing &ring, const FenceId &key)
{
	ring.wanted = filter_.wants(ring);
	jobs_.submit(key, ring.id);
	emit(now, GRTRACE_SUBMIT, ring.id, key);
}

// The driver takes the job from the scheduler and hands it over at once.
void Translator::driver_run(const Now &now, TraceRing &ring, const FenceId &key)
{
	SchedJobs::Job *job = jobs_.find(key);

	ring.wanted = filter_.wants(ring);
	if (!job)
		job = &jobs_.submit(key, ring.id);
	job->picked = true;
	emit(now, GRTRACE_PICK, ring.id, key);
	if (is_made(key))
		emit_fence(now, GRTRACE_COMMIT, ring.id, key, key);
}

void Translator::driver_done(const Now &now, const TraceRing &ring, const FenceId &key)
{
	if (!jobs_.find(key)) {
		untold_++;
		return;
	}
	emit(now, GRTRACE_END, ring.id, key);
	jobs_.end(key);
}

TraceRing &Translator::v3d_ring(const Now &now, const char *name)
{
	TraceRing &ring = rings_.find(fmt::format("card{}", now.number(Field::device)), name);

	ring.driver = "v3d";
	return ring;
}

uint64_t Translator::v3d_address(const Now &now)
{
	return now.number(Field::device) << 32 | uint32_t(now.number(Field::address));
}

// The list of commands is that of the render job, whose number is not known until it runs. It
// is not known whether there is a bin job. Jobs of a process run in order.
void Translator::v3d_queue(const Now &now)
{
	TraceRing &ring = v3d_ring(now, "v3d_render");
	const uint64_t process = uint64_t(now.pid) << 1 | 1;
	const FenceId key = driver_key(ring, process, made_[{ring.id, process}].seqno + 1);

	made_[{ring.id, process}].seqno = key.seqno;
	driver_queue(now, ring, key);
	jobs_.name(*jobs_.find(key), key, v3d_address(now), 0);
}

// Finds a job whose submission was seen and that did not run yet, by its list of commands.
bool Translator::v3d_find(const Now &now, const TraceRing &ring, FenceId *key)
{
	const SchedJobs::Job *job =
		now.fields->has(Field::address) && jobs_.by_address(v3d_address(now), key) ?
			jobs_.find(*key) :
			nullptr;

	return job && job->ring == ring.id && !job->picked;
}

void Translator::v3d_run(const Now &now, const char *name)
{
	TraceRing &ring = v3d_ring(now, name);
	const uint64_t number = now.number(Field::seqno);
	FenceId key;

	if (!v3d_find(now, ring, &key))
		return driver_run(now, ring, driver_key(ring, 0, number));
	driver_run(now, ring, key);
	jobs_.name(*jobs_.find(key), key, v3d_address(now), number);
}

void Translator::v3d_done(const Now &now, const char *name)
{
	TraceRing &ring = v3d_ring(now, name);
	const uint64_t number = now.number(Field::seqno);
	FenceId key;

	if (!jobs_.by_number(ring.id, number, &key))
		key = driver_key(ring, 0, number);
	driver_done(now, ring, key);
}

// The device says that it happened then.
void Translator::emit_at(const Now &now, uint64_t ts, uint16_t type, uint32_t ring,
			 const FenceId &key)
{
	NewRecord record;
	Now then = now;

	then.ts = ts;
	then.flags =
		static_cast<uint16_t>((now.flags & ~GRTRACE_TIME_MASK) | GRTRACE_TIME_HARDWARE);
	record.type = type;
	put(then, record, ring, key);
}

// The device writes what its counter was when the job began and ended; the driver has read it when
// it handed the job over. The duration in ns has the rate.
void Translator::msm_times(const Now &now, const TraceRing &ring, const FenceId &key)
{
	constexpr uint64_t most = 1ull << 31; // a record may be this much older than others
	const SchedJobs::Job *job = jobs_.find(key);
	const uint64_t ticks = now.number(Field::end_ticks) - now.number(Field::ticks);
	const uint64_t ns = now.number(Field::duration);
	const uint64_t waited = job ? now.number(Field::ticks) - job->run_ticks : 0;

	if (!job || !job->run_ticks || !ticks || !ns || ticks > UINT32_MAX || ns >= most ||
	    waited > UINT32_MAX)
		return driver_done(now, ring, key);
	const double rate = static_cast<double>(ns) / static_cast<double>(ticks);
	const uint64_t start =
		job->run_ts + static_cast<uint64_t>(static_cast<double>(waited) * rate);
	if (start + ns > now.ts || now.ts - start >= most)
		return driver_done(now, ring, key);
	emit_at(now, start, GRTRACE_START, ring.id, key);
	emit_at(now, start + ns, GRTRACE_END, ring.id, key);
	jobs_.end(key);
}

// The numbers are those of all rings. Jobs of one process end in order, as far as their
// driver lets it have one queue.
void Translator::msm_event(const Now &now)
{
	TraceRing &ring = rings_.find({}, fmt::format("gpu-ring-{}", now.number(Field::instance)));
	const FenceId key = driver_key(ring, now.number(Field::pid), now.number(Field::id));

	ring.driver = "msm";
	if (now.kind == TraceKind::msm_queue)
		driver_queue(now, ring, key);
	else if (now.kind == TraceKind::msm_run)
		driver_run(now, ring, key);
	else
		return msm_times(now, ring, key);
	if (SchedJobs::Job *job = jobs_.find(key); job && now.kind == TraceKind::msm_run) {
		job->run_ts = now.ts;
		job->run_ticks = now.number(Field::ticks);
	}
}

// A queue of the firmware counts as a ring. Its jobs have the hardware fence from the
// beginning, whose event has no queue.
void Translator::xe_event(const Now &now)
{
	FenceId key;

	if (now.kind == TraceKind::xe_done) {
		SchedJobs::Job *job = jobs_.by_address(now.number(Field::address), &key) ?
					      jobs_.find(key) :
					      nullptr;

		// Fences of page tables and others are none of a job.
		if (job)
			driver_done(now, *rings_.at(job->ring), key);
		return;
	}
	// Each GT's GuC numbers its queues.
	const std::string gt = now.fields->has(Field::instance) ?
				       fmt::format("gt{}_", now.number(Field::instance)) :
				       std::string();
	TraceRing &ring = rings_.find(now.text(Field::device),
				      fmt::format("{}guc_{}", gt, now.number(Field::id)));
	ring.driver = "xe";
	key = driver_key(ring, 0, now.number(Field::seqno));
	switch (now.kind) {
	case TraceKind::xe_enable:
	case TraceKind::xe_disable:
		return xe_queue(now, ring);
	case TraceKind::xe_memory_error:
	case TraceKind::xe_reset:
		return xe_queue_error(now, ring);
	case TraceKind::xe_resubmit:
		resubmitted_.insert(ring.id);
		return;
	case TraceKind::xe_timedout:
	case TraceKind::xe_set_error:
		return xe_job_error(now, ring, key);
	case TraceKind::xe_queue:
		driver_queue(now, ring, key);
		break;
	default:
		xe_run(now, ring, key);
	}
	if (SchedJobs::Job *job = jobs_.find(key))
		jobs_.name(*job, key, now.number(Field::address), 0);
}

// After a reset or a resume the driver hands over again what it holds. The scheduler does not take
// it off its queue again. Readers may have forgotten a job that ended: its PICK begins another run.
void Translator::xe_run(const Now &now, TraceRing &ring, const FenceId &key)
{
	const SchedJobs::Job *job = jobs_.find(key);

	if (!resubmitted_.contains(ring.id) || !job || !job->picked)
		return driver_run(now, ring, key);
	ring.wanted = filter_.wants(ring);
	emit_fence(now, GRTRACE_COMMIT, ring.id, key, key);
}

// The driver may set the error of a job only after it reported that its time is over.
void Translator::xe_job_error(const Now &now, TraceRing &ring, const FenceId &key)
{
	const bool is_timeout = now.kind == TraceKind::xe_timedout;
	NewRecord error;

	ring.wanted = filter_.wants(ring);
	error.type = GRTRACE_ERROR;
	error.kind = is_timeout ? GRTRACE_ERROR_TIMEOUT : GRTRACE_ERROR_OTHER;
	error.code = static_cast<int32_t>(now.number(Field::result));
	if (is_timeout && !error.code)
		error.code = -ETIME;
	if (error.code)
		put(now, error, ring.id, key);
}

// The firmware names the queue, and not the job.
void Translator::xe_queue_error(const Now &now, TraceRing &ring)
{
	const bool is_reset = now.kind == TraceKind::xe_reset;
	NewRecord error;

	ring.wanted = filter_.wants(ring);
	error.type = GRTRACE_ERROR;
	error.kind = is_reset ? GRTRACE_ERROR_RESET : GRTRACE_ERROR_OTHER;
	error.code = is_reset ? 0 : -EFAULT;
	error.text = is_reset ? "the firmware reset the queue" : "memory CAT error";
	put(now, error, ring.id, {});
}

// The firmware schedules the queue from now on, or does not. The event has no reason.
void Translator::xe_queue(const Now &now, TraceRing &ring)
{
	const bool on = now.kind == TraceKind::xe_enable;
	NewRecord change;

	ring.wanted = filter_.wants(ring);
	change.type = GRTRACE_QUEUE;
	change.state = on ? GRTRACE_QUEUE_ON : GRTRACE_QUEUE_OFF;
	change.reason = on ? GRTRACE_QUEUE_ENABLED : GRTRACE_QUEUE_DISABLED;
	put(now, change, ring.id, {});
}

// It names the finished fence, which the scheduler signals.
void Translator::lima_event(const Now &now)
{
	TraceRing &ring = rings_.find({}, now.text(Field::ring));

	ring.driver = "lima";
	if (now.kind == TraceKind::lima_queue)
		driver_queue(now, ring, now.job());
	else
		driver_run(now, ring, now.job());
}

void Translator::driver_event(const Now &now)
{
	// As text or as a number.
	const std::string_view type = now.text(Field::type);
	const bool is_render = type == "RCL" || type == "1" || now.number(Field::type);

	switch (now.kind) {
	case TraceKind::v3d_cl_run:
		return v3d_run(now, is_render ? "v3d_render" : "v3d_bin");
	case TraceKind::v3d_cl_queue:
		return v3d_queue(now);
	case TraceKind::v3d_tfu_run:
		return v3d_run(now, "v3d_tfu");
	case TraceKind::v3d_csd_run:
		return v3d_run(now, "v3d_csd");
	case TraceKind::v3d_bin_done:
		return v3d_done(now, "v3d_bin");
	case TraceKind::v3d_render_done:
		return v3d_done(now, "v3d_render");
	case TraceKind::v3d_tfu_done:
		return v3d_done(now, "v3d_tfu");
	case TraceKind::v3d_csd_done:
		return v3d_done(now, "v3d_csd");
	case TraceKind::msm_queue:
	case TraceKind::msm_run:
	case TraceKind::msm_done:
		return msm_event(now);
	case TraceKind::xe_queue:
	case TraceKind::xe_run:
	case TraceKind::xe_done:
	case TraceKind::xe_enable:
	case TraceKind::xe_disable:
	case TraceKind::xe_timedout:
	case TraceKind::xe_set_error:
	case TraceKind::xe_memory_error:
	case TraceKind::xe_reset:
	case TraceKind::xe_resubmit:
		return xe_event(now);
	case TraceKind::lima_queue:
	case TraceKind::lima_run:
		return lima_event(now);
	default:
		break;
	}
}

} // namespace grtrace
