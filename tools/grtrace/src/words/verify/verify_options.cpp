// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_options.h"

#include "lib/options/options.h"
#include "lib/text/words_of.h"
#include "words/verify/verify_jobs.h"
#include "words/verify/verify_records.h"

namespace grtrace {

enum {
	option_limit = 256,
	option_strict,
	option_help,
};

static const Option table[] = {
	{'i', "input", "NAME",
	 "capture: base name of NAME.grtrace.<cpu>, a file or FIFO with "
	 "the packets of all CPUs, or - for stdin; repeatable"},
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{'o', "output", "FILE", "to FILE, default is stdout"},
	{option_limit, "limit", "N", "at most N lines of each kind (10); the sums count all"},
	{option_strict, "strict", nullptr, "exit 3 if records were lost and nothing else is wrong"},
	{'V', "version", nullptr, "print the version"},
	{option_help, "help", nullptr, "print this"},
};

std::string VerifyOptions::help_text()
{
	return fmt::format("grtrace verify reads every byte of a capture and tells what "
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
			   "No record says how many credits a ring has: that is not "
			   "checked.\n\n"
			   "exit: 0, 1 damage or faults, 2 wrong usage, 3 records lost "
			   "(--strict)\n",
			   describe_options(table), clock_slack_ns / 1000,
			   VerifyRecords::clock_slack_ns / 1000,
			   VerifyJobs::signal_slack_ns / 1000000, VerifyJobs::most_jobs);
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
	case option_limit:
		if (parse_id(argument, UINT64_MAX, limit))
			break;
		return Status::error("--limit wants a number, not \"{}\"", argument);
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
	Status status = read_options(table, argc, argv, [this](const GivenOption &given) {
		return set(given.id, given.argument);
	});

	if (!status.ok() || help || version)
		return status;
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	return {};
}

} // namespace grtrace
