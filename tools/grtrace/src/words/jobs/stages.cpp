// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/stages.h"

#include <span>
#include <tuple>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"

namespace grtrace {

const char *Stages::name(Stage stage)
{
	static const char *const names[nr_stages] = {"Q2I", "I2D", "RESET", "D2B",
						     "B2E", "E2C", "Q2C",   "C2W"};

	return names[stage];
}

uint64_t Stages::of(const Job &job, Stage stage)
{
	switch (stage) {
	case q2i:
		return Job::between(job.submit_ts, job.pick_ts);
	case i2d:
		return Job::between(job.pick_ts, job.commit_ts);
	case reset:
		return job.reset();
	case d2b:
		return job.dispatch();
	case b2e:
		return Job::between(job.start_ts, job.end_ts);
	case e2c:
		return Job::between(job.end_ts, job.complete_ts);
	case q2c:
		return Job::between(job.submit_ts, job.complete_ts);
	case c2w:
	case nr_stages:
		break;
	}
	return Job::none;
}

void Stages::fill(Row &row, const Job &job) const
{
	row.stages = {of(job, q2i), of(job, i2d), of(job, reset), of(job, d2b),
		      of(job, b2e), of(job, e2c), of(job, q2c)};
	row.weight = job.weight;
	for (size_t i = 0; i < c2w; i++)
		stages_[i].expect(row.stages[i]);
}

void Stages::settle() const
{
	for (size_t i = 0; i < c2w; i++) {
		std::array<Histogram::Value, std::tuple_size_v<decltype(rows_)>> known;
		size_t nr = 0;

		for (const Row &row : std::span(rows_).first(nr_rows_)) {
			known[nr] = {row.stages[i], row.weight};
			nr += row.stages[i] != Job::none;
		}
		stages_[i].add(std::span(known).first(nr));
	}
	nr_rows_ = 0;
}

void Stages::add_wake(uint64_t duration, uint32_t weight)
{
	if (duration != Job::none)
		stages_[c2w].add(duration, weight);
}

// The share of the time that all jobs took from SUBMIT to COMPLETE, as btt has it.
static std::string share_text(const Histogram &stage, const Histogram &all)
{
	const double time = static_cast<double>(all.average()) * static_cast<double>(all.count());

	if (time == 0)
		return fmt::format(" {:>6}", "NA");
	return fmt::format(" {:>6.1f}", 100.0 * static_cast<double>(stage.average()) *
						static_cast<double>(stage.count()) / time);
}

void Stages::print(fmt::memory_buffer &out, const std::string &title, bool touched) const
{
	const char *mark = touched ? " *" : "";

	print_to(out, "\n{}\n{:<5}{:>11} {:>11} {:>11} {:>9} {:>11} {:>11} {:>11} {:>11} {:>6}\n",
		 title, "ALL", "MIN", "AVG", "MAX", "N", "p50", "p90", "p99", "p99.9", "%Q2C");
	for (size_t i = 0; i < nr_stages; i++) {
		const Histogram &stage = this->stage(Stage(i));

		// Most captures have no job that was handed over again.
		if (!stage.count() && i == reset)
			continue;
		if (!stage.count()) {
			print_to(out, "{:<5}{:>11} {:>11} {:>11} {:>9}{}\n", name(Stage(i)), "NA",
				 "NA", "NA", 0, mark);
			continue;
		}
		print_to(out, "{:<5}{} {} {} {:>9} {} {} {} {}{}{}\n", name(Stage(i)),
			 duration_text(stage.min()), duration_text(stage.average()),
			 duration_text(stage.max()), stage.count(),
			 duration_text(stage.percentile(500)), duration_text(stage.percentile(900)),
			 duration_text(stage.percentile(990)), duration_text(stage.percentile(999)),
			 // Tasks wake up after Q2C.
			 i == c2w ? "" : share_text(stage, this->stage(q2c)), mark);
	}
}

} // namespace grtrace
