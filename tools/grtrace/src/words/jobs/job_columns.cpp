// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/job_columns.h"

#include "format/vocabulary.h"

namespace grtrace {

JobRow::JobRow(const Job &job, JobLabel label, Session &session)
	: job(job), session(session), label(label), ring(session.rings.find(job.ring)),
	  task(job.submit_ts == Job::none ? nullptr : session.tasks.find(job.pid))
{
}

namespace {

Cell time_cell(uint64_t value)
{
	return value == Job::none ? Cell::na() : Cell::of(value);
}

Cell ring_cell(JobRow &row)
{
	return row.ring.known ? Cell::of(row.ring.name) : Cell::of(uint64_t(row.job.ring));
}

Cell inferred_cell(JobRow &row)
{
	const Job &job = row.job;

	if (job.start_inferred)
		return Cell::of(job.time_inferred ? "start+time" : "start");
	return Cell::of(job.time_inferred ? "time" : "-");
}

Cell slow_cell(JobRow &row)
{
	const Job &job = row.job;

	if (job.slow_queue)
		return Cell::of(job.slow_exec ? "queue+exec" : "queue");
	return Cell::of(job.slow_exec ? "exec" : "-");
}

const JobColumn columns[] = {
	{"dev", "text", "device",
	 [](JobRow &r) { return r.ring.known ? Cell::of(r.ring.device_name) : Cell::na(); }},
	{"ring", "text", "ring by name; by id where no record described it", ring_cell},
	{"engine", "text", "its engine class",
	 [](JobRow &r) {
		 return r.ring.known ? Cell::of(r.session.class_name(r.ring.engine_class)) :
				       Cell::na();
	 }},
	{"ctx", "id", "context", [](JobRow &r) { return Cell::of(r.job.ctx); }},
	{"seqno", "id", "number of the job there, wraps counted",
	 [](JobRow &r) { return Cell::of(r.job.seqno); }},
	{"pid", "number", "thread that submitted it",
	 [](JobRow &r) {
		 return r.job.submit_ts == Job::none ? Cell::na() : Cell::of(uint64_t(r.job.pid));
	 }},
	{"tgid", "number", "its process",
	 [](JobRow &r) { return r.task ? Cell::of(uint64_t(r.task->tgid)) : Cell::na(); }},
	{"comm", "text", "its name",
	 [](JobRow &r) { return r.task ? Cell::of(r.task->name()) : Cell::na(); }},
	{"submit_ts", "number", "SUBMIT, ns of the session's clock",
	 [](JobRow &r) { return time_cell(r.job.submit_ts); }},
	{"commit_ts", "number", "COMMIT, the first",
	 [](JobRow &r) { return time_cell(r.job.commit_ts); }},
	{"start_ts", "number", "START, recorded or inferred",
	 [](JobRow &r) { return time_cell(r.job.start_ts); }},
	{"end_ts", "number", "END", [](JobRow &r) { return time_cell(r.job.end_ts); }},
	{"complete_ts", "number", "COMPLETE",
	 [](JobRow &r) { return time_cell(r.job.complete_ts); }},
	{"t_submit_host", "number", "SUBMIT to COMMIT, ns",
	 [](JobRow &r) { return time_cell(r.job.submit_to_commit()); }},
	{"t_queue", "number", "SUBMIT to START",
	 [](JobRow &r) { return time_cell(r.job.queue()); }},
	{"t_exec", "number", "START to END", [](JobRow &r) { return time_cell(r.job.exec()); }},
	{"t_gpu_wait", "number", "tasks waited for it, and it was blocked",
	 [](JobRow &r) { return time_cell(r.job.gpu_wait()); }},
	{"t_complete", "number", "END to COMPLETE",
	 [](JobRow &r) { return time_cell(r.job.completion()); }},
	{"error", "number", "-errno or the device's code, 0: none",
	 [](JobRow &r) { return Cell::of_signed(r.job.error); }},
	{"label", "text", "why it took its time",
	 [](JobRow &r) { return Cell::of(job_label_name(r.label)); }},
	{"inferred", "text", "what was inferred: start, time, both, or -", inferred_cell},
	{"weight", "number", "jobs it stands for, where they were sampled",
	 [](JobRow &r) { return Cell::of(uint64_t(r.job.weight)); }},
	{"slow", "text", "how the kernel marked it: queue, exec, both, or -", slow_cell},
	{"blocked_ts", "number", "first BLOCKED",
	 [](JobRow &r) { return time_cell(r.job.blocked_ts); }},
	{"pick_ts", "number", "PICK", [](JobRow &r) { return time_cell(r.job.pick_ts); }},
	{"dependencies", "number", "dependencies recorded",
	 [](JobRow &r) { return Cell::of(uint64_t(r.job.dependencies)); }},
	{"waits", "number", "waits of tasks for it that ended",
	 [](JobRow &r) { return Cell::of(uint64_t(r.job.waits)); }},
	{"lost", "number", "1: records were lost while it was in flight",
	 [](JobRow &r) { return Cell::of(uint64_t(r.job.touched)); }},
	{"hand_overs", "number", "COMMITs: several where a reset came between",
	 [](JobRow &r) { return Cell::of(uint64_t(r.job.hand_overs)); }},
	{"completes", "number", "COMPLETEs: a second one is a driver's fault",
	 [](JobRow &r) { return Cell::of(uint64_t(r.job.completes)); }},
	{"last_commit_ts", "number", "COMMIT, the last",
	 [](JobRow &r) { return time_cell(r.job.last_commit_ts); }},
	{"t_reset", "number", "the first COMMIT to the last, where there are several",
	 [](JobRow &r) { return time_cell(r.job.reset()); }},
};

} // namespace

std::span<const JobColumn> job_columns()
{
	return columns;
}

} // namespace grtrace
