// SPDX-License-Identifier: GPL-2.0
#include "words/report/top_jobs.h"

#include <algorithm>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "words/data/worst.h"

namespace grtrace {

void TopJobs::job(const Job &job, JobLabel label)
{
	uint64_t total = job.total();

	// Most jobs are not among the worst.
	if (total != Job::none && total >= wanted_)
		keep(job, label);
}

void TopJobs::keep(const Job &job, JobLabel label)
{
	const Task *task = capture_.session().tasks.find(job.pid);

	keep_worst(heap_, limit_, {job, label, std::string(task ? task->name() : "?")}, worse);
	if (heap_.size() == limit_)
		wanted_ = heap_.front().job.total() + 1;
}

void TopJobs::print(fmt::memory_buffer &out)
{
	const Session &session = capture_.session();

	std::sort(heap_.begin(), heap_.end(), worse);
	print_to(out,
		 "\nTop {} by total time\n{:>11} {:>11} {:>11} {:>11} "
		 "{:>11}  {:<12} {:<16} {:<15} {}\n",
		 limit_, "TOTAL", "QUEUE", "EXEC", "WAIT", "AT", "RING", "COMM", "CTX:SEQNO",
		 "LABEL");
	for (const Entry &entry : heap_) {
		const Job &job = entry.job;
		const Ring &ring = session.rings.find(job.ring);

		print_to(out, "{} {} {} {} {}  {:<12} {:<16} {:<15} {}{}\n",
			 duration_text(job.total()), duration_text(job.queue()),
			 duration_text(job.exec()), duration_text(job.gpu_wait()),
			 duration_text(Job::between(session.start_ts, job.submit_ts)),
			 ring.known || job.ring == GRTRACE_RING_NONE ?
				 ring.name :
				 fmt::format("ring {}", job.ring),
			 entry.comm, fmt::format("{}:{}", job.ctx, job.seqno),
			 job_label_name(entry.label), job.touched ? " *" : "");
	}
}

} // namespace grtrace
