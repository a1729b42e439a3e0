// SPDX-License-Identifier: GPL-2.0
#include "words/report/failed_jobs.h"

#include <algorithm>

#include "format/vocabulary.h"
#include "lib/text/errno_text.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"

namespace grtrace {

std::string failure_text(const Job &job, const TaskTable &tasks)
{
	std::string text;

	for (uint32_t kind = 0; kind < Job::nr_error_kinds; kind++)
		if (job.error_kinds >> kind & 1)
			text += fmt::format("{}, ", error_kind_name(kind));
	text += errno_text(job.error);
	if (job.guilty_pid)
		text += ", by " + tasks.guilty(job.guilty_pid);
	return text;
}

void FailedJobs::add(const Job &job, const TaskTable &tasks)
{
	const JobName name = {job.ctx, job.seqno, job.ring};
	// A job that hangs may never leave its ring.
	const uint64_t ts = std::min(job.error_ts, job.gone_ts());

	jobs_ += job.weight;
	note_ring(job.ring);
	if (names_.size() < names_most)
		names_.push_back(name);
	else
		too_many_ = true;
	if (ts >= first_ts_)
		return;
	first_ts_ = ts;
	first_ = name;
	how_ = failure_text(job, tasks);
}

void FailedJobs::note_ring(uint32_t ring)
{
	if (ring != GRTRACE_RING_NONE && is_on_.insert(ring).second)
		rings_.push_back(ring);
}

bool FailedJobs::are_hangs_of(std::span<const Finding> findings) const
{
	return !too_many_ && std::ranges::all_of(names_, [&](const JobName &name) {
		return std::ranges::any_of(findings, [&](const Finding &one) {
			return one.kind == CauseKind::hang && one.root == name;
		});
	});
}

std::string FailedJobs::sentence(const FindingText &text) const
{
	std::vector<std::string> names;
	const bool one = jobs_ == 1;

	if (!jobs_)
		return "";
	for (const uint32_t ring : rings_)
		names.push_back(text.ring(ring));
	std::string where = names.empty() ? "" : " on ";
	if (names.size() > rings_most)
		where += fmt::format("{} rings", names.size());
	else
		for (size_t i = 0; i < names.size(); i++)
			where += (!i ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
	return fmt::format(
		"{} job{} failed{}, {}{} at {} s ({}); {}.", thousands(jobs_), one ? "" : "s",
		where, one ? "" : "first ", FindingText::job(first_), text.at(first_ts_), how_,
		one ? "see grtrace explain" : "grtrace report --csv - lists them, labelled failed");
}

} // namespace grtrace
