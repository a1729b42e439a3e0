// SPDX-License-Identifier: GPL-2.0
#include "job_csv.h"

#include <string_view>

#include "csv_line.h"
#include "vocabulary.h"

namespace grtrace {

static void put_time(CsvLine &line, uint64_t value)
{
	if (value == Job::none)
		line.na();
	else
		line.number(value);
}

static std::string_view inferred(const Job &job)
{
	if (job.start_inferred)
		return job.time_inferred ? "start+time" : "start";
	return job.time_inferred ? "time" : "-";
}

static std::string_view slow(const Job &job)
{
	if (job.slow_queue)
		return job.slow_exec ? "queue+exec" : "queue";
	return job.slow_exec ? "exec" : "-";
}

void JobCsv::print_header(fmt::memory_buffer &out)
{
	static constexpr std::string_view names =
		"dev,ring,engine,ctx,seqno,pid,tgid,comm,submit_ts,commit_ts,"
		"start_ts,end_ts,complete_ts,t_submit_host,t_queue,t_exec,"
		"t_gpu_wait,t_complete,error,label,inferred,weight,slow\n";

	out.append(names.data(), names.data() + names.size());
}

// Who submitted: pid, tgid, comm.
static void put_task(CsvLine &line, const Job &job, Session &session)
{
	const Task *task = session.tasks.find(job.pid);
	const bool known = job.submit_ts != Job::none;

	put_time(line, known ? job.pid : Job::none);
	put_time(line, known && task ? task->tgid : Job::none);
	if (known && task)
		line.text(task->name());
	else
		line.na();
}

static void put_ring(CsvLine &line, const Ring &ring, uint32_t id)
{
	if (ring.known) {
		line.text(ring.device_name);
		line.text(ring.name);
		line.text(engine_name(ring.engine_class));
	} else {
		line.na();
		line.number(id);
		line.na();
	}
}

void JobCsv::print(fmt::memory_buffer &out, const Job &job, JobLabel label,
		   Session &session)
{
	CsvLine line(out);

	put_ring(line, session.rings.find(job.ring), job.ring);
	put_time(line, job.ctx);
	put_time(line, job.seqno);
	put_task(line, job, session);
	put_time(line, job.submit_ts);
	put_time(line, job.commit_ts);
	put_time(line, job.start_ts);
	put_time(line, job.end_ts);
	put_time(line, job.complete_ts);
	put_time(line, job.submit_to_commit());
	put_time(line, job.queue());
	put_time(line, job.exec());
	put_time(line, job.gpu_wait());
	put_time(line, job.completion());
	line.number(job.error);
	line.text(job_label_name(label));
	line.text(inferred(job));
	line.number(job.weight);
	line.text(slow(job));
	line.end();
}

} // namespace grtrace
