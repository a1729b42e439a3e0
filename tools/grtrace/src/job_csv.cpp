// SPDX-License-Identifier: GPL-2.0
#include "job_csv.h"

#include <string_view>

#include "vocabulary.h"

namespace grtrace {

static void put(fmt::memory_buffer &out, std::string_view text)
{
	out.append(text.data(), text.data() + text.size());
}

static void put_text(fmt::memory_buffer &out, std::string_view text)
{
	if (text.find_first_of(",\"\n\r") == text.npos)
		return put(out, text);
	out.push_back('"');
	for (char c : text) {
		if (c == '"')
			out.push_back('"');
		out.push_back(c);
	}
	out.push_back('"');
}

static void put_number(fmt::memory_buffer &out, uint64_t value)
{
	fmt::format_int number(value);

	put(out, std::string_view(number.data(), number.size()));
}

// With the comma in front.
static void put_time(fmt::memory_buffer &out, uint64_t value)
{
	out.push_back(',');
	if (value == Job::none)
		put(out, "NA");
	else
		put_number(out, value);
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
	put(out, "dev,ring,engine,ctx,seqno,pid,tgid,comm,submit_ts,commit_ts,"
		 "start_ts,end_ts,complete_ts,t_submit_host,t_queue,t_exec,"
		 "t_gpu_wait,t_complete,error,label,inferred,weight,slow\n");
}

// Who submitted: pid, tgid, comm.
static void put_task(fmt::memory_buffer &out, const Job &job, Session &session)
{
	const Task *task = session.tasks.find(job.pid);

	if (job.submit_ts == Job::none)
		return put(out, ",NA,NA,NA");
	out.push_back(',');
	put_number(out, job.pid);
	put_time(out, task ? task->tgid : Job::none);
	out.push_back(',');
	put_text(out, task ? task->name() : "NA");
}

void JobCsv::print(fmt::memory_buffer &out, const Job &job, JobLabel label,
		   Session &session)
{
	const Ring &ring = session.rings.find(job.ring);

	put_text(out, ring.known ? ring.device_name : "NA");
	out.push_back(',');
	if (ring.known)
		put_text(out, ring.name);
	else
		put_number(out, job.ring);
	out.push_back(',');
	put(out, ring.known ? engine_name(ring.engine_class) : "NA");
	put_time(out, job.ctx);
	put_time(out, job.seqno);
	put_task(out, job, session);
	put_time(out, job.submit_ts);
	put_time(out, job.commit_ts);
	put_time(out, job.start_ts);
	put_time(out, job.end_ts);
	put_time(out, job.complete_ts);
	put_time(out, job.submit_to_commit());
	put_time(out, job.queue());
	put_time(out, job.exec());
	put_time(out, job.gpu_wait());
	put_time(out, job.completion());
	fmt::format_int error(job.error);
	out.push_back(',');
	put(out, std::string_view(error.data(), error.size()));
	out.push_back(',');
	put(out, job_label_name(label));
	out.push_back(',');
	put(out, inferred(job));
	put_time(out, job.weight);
	out.push_back(',');
	put(out, slow(job));
	out.push_back('\n');
}

} // namespace grtrace
