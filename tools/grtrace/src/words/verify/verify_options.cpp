// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_options.h"

#include "lib/text/words_of.h"
#include "lib/options/options.h"
#include "words/verify/verify_jobs.h"
#include "words/verify/verify_records.h"

namespace grtrace {

enum {
	option_credits = 256,
	option_limit,
	option_strict,
	option_help,
};

static const Option table[] = {
	{'i', "input", "NAME",
	 "capture: base name of NAME.grtrace.<cpu>, a file or FIFO with "
	 "the packets of all CPUs, or - for stdin; repeatable"},
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{'o', "output", "FILE", "to FILE, default is stdout"},
	{option_credits, "credits", "RING=N",
	 "RING, by its name or by device and name, takes jobs of N credits at "
	 "a time; repeatable"},
	{option_limit, "limit", "N",
	 "at most N lines of each kind (10); the sums count all"},
	{option_strict, "strict", nullptr,
	 "exit 3 if records were lost and nothing else is wrong"},
	{'V', "version", nullptr, "print the version"},
	{option_help, "help", nullptr, "print this"},
};

std::string VerifyOptions::help_text()
{
	return fmt::format(
		"grtrace verify reads every byte of a capture and tells what "
		"is wrong with it.\n\n"
		"usage: grtrace verify [options] [-i] NAME...\n\n{}\n"
		"A line for each finding: file, offset and record, what is "
		"wrong, and in brackets\nhow bad and of which kind. Damage: "
		"the "
		"bytes are not what was written. Fault: what\nthe records say "
		"cannot have been, so a driver or grtrace is wrong. Note: it "
		"is\nunusual, or as well the work of a loss, of a sampling "
		"that changed or of a capture\nthat began in the middle.\n\n"
		"Records of different CPUs are out of order only if their "
		"times say so, too. Clocks\nmay differ by {} us, and by {} us "
		"go back on one CPU; a fence is signalled up to\n{} ms before "
		"its record. Of the jobs the newest {} are looked at.\n"
		"How many credits a ring has, no record tells: without "
		"--credits that is not\nchecked.\n\n"
		"exit: 0, 1 damage or faults, 2 wrong usage, 3 records lost "
		"(--strict)\n",
		describe_options(table), clock_slack_ns / 1000,
		VerifyRecords::clock_slack_ns / 1000,
		VerifyJobs::signal_slack_ns / 1000000, VerifyJobs::most_jobs);
}

Status VerifyOptions::add_credits(const std::string &argument)
{
	const size_t equals = argument.rfind('=');
	uint64_t number;

	if (equals == argument.npos || !equals ||
	    !parse_id(std::string_view(argument).substr(equals + 1), UINT64_MAX,
		      number) ||
	    !number)
		return Status::error("--credits wants RING=N, such as gfx=64, "
				     "not \"{}\"",
				     argument);
	credits.push_back({argument.substr(0, equals), number});
	return {};
}

Status VerifyOptions::set(int id, const std::string &argument)
{
	switch (id) {
	case 0:
	case 'i':
		inputs.push_back(argument);
		break;
	case 'D':
		directory = argument;
		break;
	case 'o':
		output = argument;
		break;
	case option_credits:
		return add_credits(argument);
	case option_limit:
		if (parse_id(argument, UINT64_MAX, limit))
			break;
		return Status::error("--limit wants a number, not \"{}\"",
				     argument);
	case option_strict:
		strict = true;
		break;
	case 'V':
		version = true;
		break;
	case option_help:
		help = true;
		break;
	}
	return {};
}

Status VerifyOptions::parse(int argc, char **argv)
{
	Status status = read_options(
		table, argc, argv, [this](const GivenOption &given) {
			return set(given.id, given.argument);
		});

	if (!status.ok() || help || version)
		return status;
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	return {};
}

} // namespace grtrace
