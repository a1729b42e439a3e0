// SPDX-License-Identifier: GPL-2.0
#include "words/page/picture_rows.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "words/data/id_map.h"

namespace grtrace {

PictureRow::PictureRow(const Job &job, JobLabel job_label, uint32_t job_task)
	: ctx(job.ctx), seqno(job.seqno),
	  times({job.submit_ts, job.blocked_ts, job.pick_ts, job.commit_ts, job.start_ts,
		 job.end_ts, job.complete_ts}),
	  wait_ns(job.wait_ns), waits(job.waits), ring(job.ring), task(job_task),
	  weight(job.weight), error(job.error), guilty_pid(job.guilty_pid), flags(0),
	  label(job_label)
{
	const std::pair<bool, Flag> told[] = {
		{job.start_inferred, start_inferred},
		{job.time_inferred, time_inferred},
		{job.failed, failed},
		{job.preempted, preempted},
		{job.cut, cut},
		{job.touched, touched},
		{job.slow_queue, slow_queue},
		{job.slow_exec, slow_exec},
	};

	for (const auto &[is_so, flag] : told)
		flags = static_cast<uint16_t>(flags | (is_so ? flag : 0));
}

bool PictureRow::has_time() const
{
	return std::any_of(times.begin(), times.end(), [](uint64_t ts) { return ts != Job::none; });
}

uint64_t PictureRow::from() const
{
	for (PictureStep step : {PictureStep::start, PictureStep::end, PictureStep::complete,
				 PictureStep::commit, PictureStep::pick, PictureStep::blocked})
		if (time(step) != Job::none)
			return time(step);
	return time(PictureStep::submit);
}

uint64_t PictureRow::to() const
{
	return out() == Job::none ? from() : std::max(from(), out());
}

// Rows are ranked by their time, then by a random number that is the same in each run.
static std::pair<uint64_t, uint64_t> interest(const PictureRow &row)
{
	const bool stays = row.label == JobLabel::failed || row.label == JobLabel::incomplete;

	return {stays ? UINT64_MAX : row.to() - row.from(), hash_id(row.ctx * 31 + row.seqno)};
}

void PictureRows::drop(const PictureRow &row)
{
	dropped_++;
	dropped_ns_ = std::max(dropped_ns_, row.to() - row.from());
}

void PictureRows::add(const PictureRow &row)
{
	if (thinned_ && interest(row) < std::pair(bar_ns_, bar_hash_))
		return drop(row);
	rows_.push_back(row);
	if (rows_.size() > most_)
		thin();
}

void PictureRows::thin()
{
	const auto middle = rows_.begin() + static_cast<ptrdiff_t>(rows_.size() / 2);

	std::nth_element(
		rows_.begin(), middle, rows_.end(),
		[](const PictureRow &a, const PictureRow &b) { return interest(a) < interest(b); });
	std::tie(bar_ns_, bar_hash_) = interest(*middle);
	thinned_ = true;
	for (auto row = rows_.begin(); row != middle; ++row)
		drop(*row);
	rows_.erase(rows_.begin(), middle);
}

void PictureRows::arrange()
{
	auto begins = [](const PictureRow &row) {
		return std::tuple(row.ring, row.from(), row.to(), row.ctx, row.seqno);
	};
	std::array<uint64_t, lanes_max> busy_until = {};
	uint32_t ring = 0;

	std::sort(rows_.begin(), rows_.end(),
		  [&](const PictureRow &a, const PictureRow &b) { return begins(a) < begins(b); });
	for (PictureRow &row : rows_) {
		if (row.ring != ring)
			busy_until.fill(0);
		ring = row.ring;
		while (row.lane + 1 < lanes_max && busy_until[row.lane] > row.from())
			row.lane++;
		busy_until[row.lane] = std::max(busy_until[row.lane], row.to());
	}
	std::stable_sort(rows_.begin(), rows_.end(), [](const PictureRow &a, const PictureRow &b) {
		return std::pair(a.ring, a.lane) < std::pair(b.ring, b.lane);
	});
}

} // namespace grtrace
