// SPDX-License-Identifier: GPL-2.0
#include "words/diff/diff_options.h"

#include "lib/options/options.h"
#include "lib/text/words_of.h"

namespace grtrace {

enum {
	option_ring = 256,
	option_all_rings,
	option_fail_if,
	option_no_ci,
	option_seed,
	option_csv,
	option_json,
	option_strict,
	option_help,
};

static const Option table[] = {
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{'o', "output", "FILE", "to FILE, default is stdout"},
	{'w', "stopwatch", "[START:]END", "only this interval of each, in seconds since its start"},
	{option_ring, "ring", "RING[,...]",
	 "only jobs of these rings: id, name or device/name; repeatable"},
	{option_all_rings, "all-rings", nullptr, "the jobs of all rings together"},
	{option_fail_if, "fail-if", "CONDITION",
	 "exit 4 if CONDITION holds on one of the rings, 5 if that cannot be "
	 "judged; repeatable"},
	{option_no_ci, "no-ci", nullptr, "conditions are about what was seen, be it chance or not"},
	{option_seed, "seed", "N", "draw differently (1); the same N draws the same"},
	{option_csv, "csv", nullptr, "a line of CSV for each figure"},
	{option_json, "json", nullptr, "a line of JSON for each figure"},
	{option_strict, "strict", nullptr, "exit 3 if records were lost"},
	{'V', "version", nullptr, "print the version"},
	{option_help, "help", nullptr, "print this"},
};

std::string DiffOptions::help_text()
{
	return fmt::format("grtrace diff compares two captures, ring by ring and stage by "
			   "stage.\n\n"
			   "usage: grtrace diff [options] BASE NEW\n\n{}\n"
			   "Rings are matched by the names of device and ring.\n\n"
			   "Figures are those of all jobs. DIFF is how much more the new "
			   "capture has; the\ninterval holds the true difference with "
			   "95 %, and a ! marks one that is more than\nchance: of twenty "
			   "lines without any difference, one has it all the same. "
			   "Intervals\ncome from a bootstrap that draws up to {} blocks "
			   "of jobs in a row, {} times: jobs\nare like their neighbours, "
			   "and who draws them one by one finds differences that\nare "
			   "none. There is no interval for fewer than 30 jobs, nor with "
			   "fewer than 10 above\na percentile (1000 jobs for p99). "
			   "A * is beside figures in whose time records were\nlost.\n\n"
			   "CONDITION is STAT:STAGE, one of > >= < <=, and a number with "
			   "its unit (%, ns, us,\nms, s). STAT is n, mean, min, max, p50, "
			   "p90, p99 or p99.9. With a sign the number\nis relative to the "
			   "base, without one it is about the new capture alone:\n\n"
			   "  p99:Q2C>+5%     the new p99 is more than 5 % above the "
			   "base's\n"
			   "  mean:B2E>+20us  the new mean is more than 20 us above it\n"
			   "  n:Q2C<-10%      there are more than 10 % fewer jobs\n"
			   "  p99:Q2C>2ms     the new p99 is above 2 ms\n\n"
			   "Quote it: the shell takes > and < for itself. A condition "
			   "holds only if all of the\ninterval does; n, min and max have "
			   "none and are taken as they are. The others can be\njudged "
			   "from so many recorded jobs of a ring on, in each capture: {} "
			   "for mean and p50,\n{} for p90, {} for p99, {} for p99.9; with "
			   "--no-ci from one on. With --csv and --json\neach condition "
			   "has a line for each ring: holds, does_not_hold, or not_known "
			   "and why.\n\n"
			   "exit: 0, 1 something could not be read or has no jobs, 2 "
			   "wrong usage, 3 records\nlost (--strict), 4 a condition "
			   "holds, 5 none holds and one could not be judged\n",
			   describe_options(table), DiffSeries::most_blocks, Bootstrap::draws,
			   least_values(DiffStat::p50), least_values(DiffStat::p90),
			   least_values(DiffStat::p99), least_values(DiffStat::p99_9));
}

Status DiffOptions::set(int id, const std::string &argument)
{
	switch (id) {
	case 0:
		inputs.push_back(argument);
		return {};
	case 'D':
		directory = argument;
		return {};
	case 'o':
		output = argument;
		return {};
	case 'w':
		return filter.set_interval(argument);
	case option_ring:
		return rings.add_rings(argument);
	case option_all_rings:
		all_rings = true;
		return {};
	case option_fail_if:
		return conditions.emplace_back().parse(argument);
	case option_no_ci:
		by_interval = false;
		return {};
	case option_seed:
		if (parse_id(argument, UINT64_MAX, seed))
			return {};
		return Status::error("--seed wants a number, not \"{}\"", argument);
	case option_csv:
	case option_json:
		if (form == (id == option_csv ? Form::json : Form::csv))
			return Status::error("--csv and --json: give one of "
					     "them");
		form = id == option_csv ? Form::csv : Form::json;
		return {};
	case option_strict:
		strict = true;
		return {};
	case 'V':
		version = true;
		return {};
	case option_help:
		help = true;
		break;
	}
	return {};
}

Status DiffOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, [this](const GivenOption &given) {
		return set(given.id, given.argument);
	});

	if (!status.ok() || help || version)
		return status;
	if (inputs.size() != 2)
		return Status::error("name two captures, the base and the new "
				     "one; see --help");
	if (inputs[0] == "-" && inputs[1] == "-")
		return Status::error("only one of the two can come from stdin");
	return {};
}

} // namespace grtrace
