// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/job_columns.h"

#include <functional>

#include "format/vocabulary.h"
#include "words/filter/client_name.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

JobRow::JobRow(const Job &job, JobLabel label, Session &session)
	: job(job), session(session), label(label), ring(session.rings.find(job.ring)),
	  task(job.submit_ts == Job::none ? nullptr : session.tasks.find(job.pid))
{
}

namespace {

// The value of a cell, or NA if the job has none.
template <auto time> Cell time_cell(JobRow &row)
{
	const uint64_t value = std::invoke(time, row.job);

	return value == Job::none ? Cell() : Cell(value);
}

template <auto field> Cell job_cell(JobRow &row)
{
	return row.job.*field;
}

Cell ring_cell(JobRow &row)
{
	return row.ring.known ? Cell(row.ring.name) : Cell(row.job.ring);
}

Cell inferred_cell(JobRow &row)
{
	const Job &job = row.job;

	if (job.start_inferred)
		return Cell(job.time_inferred ? "start+time" : "start");
	return Cell(job.time_inferred ? "time" : "-");
}

Cell slow_cell(JobRow &row)
{
	const Job &job = row.job;

	if (job.slow_queue)
		return Cell(job.slow_exec ? "queue+exec" : "queue");
	return Cell(job.slow_exec ? "exec" : "-");
}

Cell preempted_cell(JobRow &row)
{
	const Job &job = row.job;

	return job.preempted || job.ring_tells_preempted ? Cell(uint64_t(job.preempted)) : Cell();
}

// The driver of virtio-gpu reports what the host answered, whatever records it.
Cell error_cell(JobRow &row)
{
	const bool known =
		row.job.failed || row.ring.driver == "virtio_gpu" || !lacks(row.session, "results");

	return known ? Cell(row.job.error) : Cell();
}

Cell dependencies_cell(JobRow &row)
{
	const bool known = row.job.dependencies || !lacks(row.session, "dependencies");

	return known ? Cell(row.job.dependencies) : Cell();
}

Cell label_cell(JobRow &row)
{
	return row.label == JobLabel::unknown ? Cell() : Cell(job_label_name(row.label));
}

const JobColumn columns[] = {
	{"dev", "text", "device",
	 [](JobRow &r) { return r.ring.known ? Cell(r.ring.device_name) : Cell(); }},
	{"ring", "text", "ring by name; by id where no record described it", ring_cell},
	{"engine", "text", "its engine class",
	 [](JobRow &r) {
		 return r.ring.known ? Cell(r.session.class_name(r.ring.engine_class)) : Cell();
	 }},
	{"ctx", "id", "context", job_cell<&Job::ctx>},
	{"seqno", "id", "number of the job in that context, extended to 64 bits",
	 job_cell<&Job::seqno>},
	{"pid", "number", "thread that submitted it",
	 [](JobRow &r) { return r.job.submit_ts == Job::none ? Cell() : Cell(r.job.pid); }, "",
	 may_lack},
	{"tgid", "number", "its process",
	 [](JobRow &r) { return r.task ? Cell(r.task->tgid) : Cell(); }, "", may_lack},
	{"comm", "text", "its name",
	 [](JobRow &r) { return r.task ? Cell(r.task->name()) : Cell(); }},
	{"submit_ts", "number", "SUBMIT, on the session's clock", time_cell<&Job::submit_ts>, "ns",
	 may_lack},
	{"commit_ts", "number", "COMMIT, the first", time_cell<&Job::commit_ts>, "ns", may_lack},
	{"start_ts", "number", "START, recorded or inferred", time_cell<&Job::start_ts>, "ns",
	 may_lack},
	{"end_ts", "number", "END", time_cell<&Job::end_ts>, "ns", may_lack},
	{"complete_ts", "number", "COMPLETE", time_cell<&Job::complete_ts>, "ns", may_lack},
	{"t_submit_host", "number", "SUBMIT to COMMIT", time_cell<&Job::submit_to_commit>, "ns",
	 may_lack},
	{"t_queue", "number", "SUBMIT to START", time_cell<&Job::queue>, "ns", may_lack},
	{"t_exec", "number", "START to END", time_cell<&Job::exec>, "ns", may_lack},
	{"t_gpu_wait", "number", "tasks waited for it, and it was blocked",
	 time_cell<&Job::gpu_wait>, "ns", may_lack},
	{"t_complete", "number", "END to COMPLETE", time_cell<&Job::completion>, "ns", may_lack},
	{"error", "number", "-errno or the device's code, 0: none, NA: not recorded", error_cell,
	 "", may_lack | may_be_negative},
	{"label", "text", "why it was slow; NA: how long it took was not recorded", label_cell},
	{"inferred", "text", "what was inferred: start, time, both, or -", inferred_cell},
	{"weight", "number", "jobs that it represents, if jobs were sampled",
	 job_cell<&Job::weight>},
	{"slow", "text", "how the kernel marked it: queue, exec, both, or -", slow_cell},
	{"blocked_ts", "number", "first BLOCKED", time_cell<&Job::blocked_ts>, "ns", may_lack},
	{"pick_ts", "number", "PICK", time_cell<&Job::pick_ts>, "ns", may_lack},
	{"dependencies", "number", "dependencies recorded, NA: none can be", dependencies_cell, "",
	 may_lack},
	{"waits", "number", "waits of tasks for it that ended", job_cell<&Job::waits>},
	{"lost", "number", "1: records were lost while it was in flight",
	 [](JobRow &r) { return Cell(uint64_t(r.job.touched)); }},
	{"hand_overs", "number", "number of COMMITs: several if a reset came between",
	 job_cell<&Job::hand_overs>},
	{"completes", "number", "number of COMPLETEs: a second one is a bug in the driver",
	 job_cell<&Job::completes>},
	{"last_commit_ts", "number", "COMMIT, the last", time_cell<&Job::last_commit_ts>, "ns",
	 may_lack},
	{"t_reset", "number", "the first COMMIT to the last, if there are several",
	 time_cell<&Job::reset>, "ns", may_lack},
	{"client", "id", "DRM client that submitted it, the drm-client-id of fdinfo",
	 [](JobRow &r) { return r.job.client ? Cell(r.job.client) : Cell(); }, "", may_lack},
	{"client_name", "text", "what amdgpu's own jobs do: vm_update and so on",
	 [](JobRow &r) {
		 const char *name = client_name(r.job.client, r.ring.driver);
		 return name ? Cell(name) : Cell();
	 }},
	{"preempted", "number", "1: the ring left it before its end, NA: not recorded",
	 preempted_cell, "", may_lack},
	{"priority", "number", "its priority, 0 is the most urgent",
	 [](JobRow &r) { return r.job.priority ? Cell(r.job.priority - 1u) : Cell(); }, "",
	 may_lack},
};

} // namespace

std::span<const JobColumn> job_columns()
{
	return columns;
}

} // namespace grtrace
