// SPDX-License-Identifier: GPL-2.0
#include "words/diff/diff_options.h"

#include "lib/options/word_options.h"

namespace grtrace {

using Word = WordOption<DiffOptions>;

static const Word table[] = {
	directory_option<DiffOptions>,
	{'o', "output", "FILE", "to FILE, default is stdout", &DiffOptions::output},
	{'w', "stopwatch", "[START:]END", "only this interval of each, in seconds since its start",
	 [](DiffOptions &o, const std::string &argument) {
		 return o.filter.set_interval(argument);
	 }},
	{0, "ring", "RING[,...]", "only jobs of these rings: id, name or device/name; repeatable",
	 [](DiffOptions &o, const std::string &argument) { return o.rings.add_rings(argument); }},
	{0, "all-rings", nullptr, "the jobs of all rings together", &DiffOptions::all_rings},
	{0, "fail-if", "CONDITION",
	 "exit 4 if CONDITION holds on one of the rings, 5 if that cannot be judged; repeatable",
	 [](DiffOptions &o, const std::string &argument) {
		 return o.conditions.emplace_back().parse(argument);
	 }},
	{0, "no-ci", nullptr, "conditions judge what was seen, even if it may be chance",
	 [](DiffOptions &o, const std::string &) {
		 o.by_interval = false;
		 return Status();
	 }},
	{0, "seed", "N", "draw differently (1); the same N draws the same",
	 Word::Number{&DiffOptions::seed, 0, UINT64_MAX}},
	{0, "csv", nullptr, "a line of CSV for each figure",
	 [](DiffOptions &o, const std::string &) { return o.set_form(DiffOptions::Form::csv); }},
	{0, "json", nullptr, "a line of JSON for each figure",
	 [](DiffOptions &o, const std::string &) { return o.set_form(DiffOptions::Form::json); }},
	strict_option<DiffOptions>,
	version_option<DiffOptions>,
	help_option<DiffOptions>,
};

std::string DiffOptions::help_text()
{
	return fmt::format(
		"grtrace diff compares two captures, ring by ring and stage by stage.\n\n"
		"usage: grtrace diff [options] BASE NEW\n\n{}\n"
		"Rings are matched by the names of device and ring.\n\n"
		"Figures are those of all jobs. DIFF is how much more the new capture has; "
		"the\ninterval holds the true difference with 95 %, and a ! marks one that is more "
		"than\nchance: of twenty lines without any difference, one has it nevertheless. "
		"Intervals\ncome from a bootstrap that draws up to {} blocks of jobs in a row, {} "
		"times, because\njobs resemble their neighbours: drawing them one by one would "
		"find false\ndifferences. There is no interval for fewer than 30 jobs, nor with "
		"fewer than 10 above\na percentile (1000 jobs for p99). A * is beside figures in "
		"whose time records were\nlost.\n\n"
		"CONDITION is STAT:STAGE, one of > >= < <=, and a number with its unit (%, ns, "
		"us,\nms, s). STAT is n, mean, min, max, p50, p90, p99 or p99.9. With a sign the "
		"number\nis relative to the base, without one it is about the new capture "
		"alone:\n\n"
		"  p99:Q2C>+5%     the new p99 is more than 5 % above the base's\n"
		"  mean:B2E>+20us  the new mean is more than 20 us above it\n"
		"  n:Q2C<-10%      there are more than 10 % fewer jobs\n"
		"  p99:Q2C>2ms     the new p99 is above 2 ms\n\n"
		"Quote it: the shell takes > and < for itself. A condition holds only if all of "
		"the\ninterval does; n, min and max have none and are taken as they are. The "
		"others can be\njudged from so many recorded jobs of a ring on, in each capture: "
		"{} for mean and p50,\n{} for p90, {} for p99, {} for p99.9; with --no-ci from one "
		"on. With --csv and --json\neach condition has a line for each ring: holds, "
		"does_not_hold, or not_known and why.\n\n"
		"exit: 0, 1 something could not be read or has no jobs, 2 wrong usage, 3 "
		"records\nlost (--strict), 4 a condition holds, 5 none holds and one could not be "
		"judged\n",
		describe_options(table), DiffSeries::most_blocks, Bootstrap::draws,
		least_values(DiffStat::p50), least_values(DiffStat::p90),
		least_values(DiffStat::p99), least_values(DiffStat::p99_9));
}

Status DiffOptions::set_form(Form wanted)
{
	if (form != Form::table && form != wanted)
		return Status::error("--csv and --json: give one of them");
	form = wanted;
	return {};
}

Status DiffOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this);

	if (!status.ok() || help || version)
		return status;
	if (inputs.size() != 2)
		return Status::error("name two captures, the base and the new one; see --help");
	if (inputs[0] == "-" && inputs[1] == "-")
		return Status::error("only one of the two can come from stdin");
	return {};
}

} // namespace grtrace
