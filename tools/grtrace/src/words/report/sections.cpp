// SPDX-License-Identifier: GPL-2.0
#include "words/report/sections.h"

namespace grtrace {

void Sections::give(const Job &job, JobLabel label, bool wanted)
{
	for (auto &section : all_)
		if (wanted)
			section->job(job, label);
		else if (section->wants_all())
			section->other_job(job);
}

void Sections::moved(const Job &job, JobPhase from, uint64_t ts)
{
	if (wants(job))
		for (JobWatcher *watcher : movers_)
			watcher->moved(job, from, ts);
}

void Sections::depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on)
{
	const bool wanted = wants(job);

	for (auto &section : all_)
		if (wanted || section->wants_all())
			section->depends(job, ctx, seqno, on);
}

void Sections::blocked(const Job &job, uint64_t from, uint64_t to)
{
	const bool wanted = wants(job);

	for (auto &section : all_)
		if (wanted || section->wants_all())
			section->blocked(job, from, to);
}

void Sections::executed(const Job &job)
{
	const bool wanted = wants(job);

	for (const Executed &one : executed_)
		if (wanted || one.all)
			one.watcher->executed(job);
}

void Sections::waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
				uint64_t from, uint64_t to)
{
	for (auto &section : all_)
		if (section->wants_all())
			section->waited_for_fence(job, ctx, seqno, pid, from, to);
}

void Sections::waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to)
{
	if (wants(job))
		for (auto &section : all_)
			section->waited(job, pid, from, to);
}

void Sections::still_waits(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			   uint64_t since)
{
	for (auto &section : all_)
		if (section->wants_all())
			section->still_waits(job, ctx, seqno, pid, since);
}

void Sections::lost(uint64_t from, uint64_t to)
{
	losses_.add(from, to);
	for (auto &section : all_)
		section->lost(from, to);
}

void Sections::forget_before(uint64_t ts)
{
	for (auto &section : all_)
		section->forget_before(ts);
}

void Sections::begin(uint64_t ts)
{
	for (auto &section : all_)
		section->begin(ts);
}

void Sections::finish(uint64_t ts)
{
	for (auto &section : all_)
		section->finish(ts);
}

void Sections::print(fmt::memory_buffer &out)
{
	for (auto &section : all_)
		section->print(out);
}

} // namespace grtrace
