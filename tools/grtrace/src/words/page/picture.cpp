// SPDX-License-Identifier: GPL-2.0
#include "words/page/picture.h"

#include <algorithm>

#include "words/page/picture_keys.h"

namespace grtrace {

void Picture::stretch(uint64_t ts)
{
	from_ = std::min(from_, ts);
	to_ = std::max(to_, ts);
}

PictureRing *Picture::ring_of(const Job &job)
{
	if (rings_.size() >= rings_max && !rings_.contains(job.ring))
		return nullptr;
	return &rings_[job.ring];
}

void Picture::job(const Job &job, JobLabel label)
{
	const Task *task = capture_.session().tasks.find(job.pid);
	const bool has_pid = job.submit_ts != Job::none;
	PictureRow row(
		job, label,
		has_pid ? tasks_.find(job.pid, task, capture_.session().tasks.leader(job.pid)) :
			  PictureTasks::nobody);
	PictureRing *ring = row.has_time() ? ring_of(job) : nullptr;

	if (!ring) {
		jobs_left_out_ += job.weight;
		return;
	}
	draw(*ring, job, row);
	rows_.add(row);
}

// A process that takes over a slot finds it empty on all rings.
void Picture::occupy(PictureRing &ring, const PictureRow &row)
{
	const double ns =
		static_cast<double>(row.to() - row.from()) * static_cast<double>(row.weight);
	uint32_t evicted;
	const uint32_t slot = tasks_.use(row.task, ns, evicted);

	if (evicted != PictureTasks::others)
		for (auto &[id, other] : rings_)
			other.series.fold(PictureRing::busy + evicted,
					  PictureRing::busy + PictureTasks::others);
	ring.series.add_span(PictureRing::busy + slot, row.from(), row.to(), row.weight);
}

void Picture::draw(PictureRing &ring, const Job &job, const PictureRow &row)
{
	for (uint64_t ts : row.times)
		if (ts != Job::none)
			stretch(ts);
	ring.nr_jobs += row.weight;
	ring.stages.add(job);
	ring.series.add_moment(PictureRing::jobs, row.from(), row.weight);
	if (row.flags & PictureRow::failed)
		ring.series.add_moment(PictureRing::failed, row.to(), row.weight);
	if (job.submit_ts != Job::none && job.submit_ts < row.from())
		ring.series.add_span(PictureRing::queued, job.submit_ts, row.from(), row.weight);
	occupy(ring, row);
}

void Picture::add_link(const Job &job, PictureLink link)
{
	if (links_.size() >= links_max) {
		links_dropped_++;
		return;
	}
	link.ctx = job.ctx;
	link.seqno = job.seqno;
	links_.push_back(link);
}

void Picture::depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on)
{
	PictureLink link = {};

	link.kind = PictureLink::Kind::depends;
	link.at = job.submit_ts;
	link.fence_ctx = on ? on->ctx : ctx;
	link.fence_seqno = on ? on->seqno : seqno;
	add_link(job, link);
}

void Picture::blocked(const Job &job, uint64_t from, uint64_t to)
{
	PictureLink link = {};

	link.kind = PictureLink::Kind::blocked;
	link.at = from;
	link.fence_ctx = job.blocker_ctx;
	link.fence_seqno = job.blocker_seqno;
	link.from = from;
	link.to = to;
	add_link(job, link);
}

void Picture::waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to)
{
	PictureLink link = {};

	link.kind = PictureLink::Kind::waited;
	link.at = from;
	link.task = tasks_.find(pid, capture_.session().tasks.find(pid),
				capture_.session().tasks.leader(pid));
	link.from = from;
	link.to = to;
	add_link(job, link);

	// A task that began to wait after COMPLETE did not wait.
	if (!job.complete() || from > job.complete_ts)
		return;
	if (PictureRing *ring = ring_of(job))
		ring->stages.add_wake(Job::between(job.complete_ts, to), job.weight);
}

void Picture::begin(uint64_t ts)
{
	stretch(ts);
}

// Replaces keys by rows. Links of jobs without a row are useless.
void Picture::resolve_links()
{
	const PictureKeys keys(rows_.all());

	for (PictureLink &link : links_) {
		link.row = keys.find(link.ctx, link.seqno, link.at);
		if (link.kind != PictureLink::Kind::waited)
			link.other = keys.find(link.fence_ctx, link.fence_seqno, link.at);
		if (link.other == link.row)
			link.other = PictureLink::no_row;
	}
	std::erase_if(links_,
		      [](const PictureLink &link) { return link.row == PictureLink::no_row; });
	std::stable_sort(links_.begin(), links_.end(),
			 [](const PictureLink &a, const PictureLink &b) { return a.row < b.row; });
}

void Picture::finish(uint64_t ts)
{
	unsigned int shift = PictureSeries::finest;

	stretch(ts);
	from_ = std::min(from_, to_);
	rows_.arrange();
	resolve_links();
	for (auto &[id, ring] : rings_)
		shift = std::max(shift, ring.series.shift());
	for (auto &[id, ring] : rings_) {
		ring.series.coarsen(shift);
		ring.busy_ns = activity_.busy_ns(id);
	}
}

} // namespace grtrace
