// SPDX-License-Identifier: GPL-2.0
#include "words/merge/merge_options.h"

#include <algorithm>
#include <charconv>

#include "lib/options/word_options.h"
#include "words/merge/machine.h"

namespace grtrace {

using Word = WordOption<MergeOptions>;

static const Word table[] = {
	option_group<MergeOptions>("Options"),
	{'i', "input", "[MACHINE=]FILE", "a capture, a trace.dat or a perf.data; repeatable",
	 [](MergeOptions &o, const std::string &argument) { return o.add_input(argument); }},
	directory_option<MergeOptions>,
	{'o', "output", "FILE", "the merged capture, - for stdout", &MergeOptions::output},
	{0, "gpu", "FILE", "a capture that becomes the first input, so the result has its clock",
	 [](MergeOptions &o, const std::string &argument) {
		 o.inputs.insert(o.inputs.begin(), {argument, ""});
		 return Status();
	 }},
	{0, "cpu", "FILE", "the same as -i",
	 [](MergeOptions &o, const std::string &argument) { return o.add_input(argument); }},
	{0, "clock-offset", "[FILE=]NS",
	 "add NS (-1500, 2000000) to the times of FILE, whatever its clock is; with two inputs, "
	 "FILE defaults to the second; repeatable",
	 [](MergeOptions &o, const std::string &argument) { return o.add_shift(argument); }},
	{0, "stats-only", nullptr,
	 "write nothing: print the table of the inputs, and events of each type",
	 &MergeOptions::stats_only},
	{0, "verbose", nullptr, "print events of each type as well", &MergeOptions::verbose},
	{'q', "quiet", nullptr, "print no table of the inputs on stderr", &MergeOptions::quiet},
	strict_option<MergeOptions>,
	version_option<MergeOptions>,
	help_option<MergeOptions>,
};

std::string MergeOptions::help_text()
{
	return fmt::format(
		"grtrace merge joins captures and traces of the same time into one capture, on\n"
		"one clock.\n"
		"\n"
		"Usage: grtrace merge [OPTIONS] -o FILE [-i] [MACHINE=]FILE...\n"
		"       grtrace merge --stats-only [OPTIONS] [-i] [MACHINE=]FILE...\n"
		"\n"
		"{}\n"
		"The first input is a capture: its clock is that of the result. trace.dat is read\n"
		"by trace-cmd and perf.data by perf, which have to be installed. Events of jobs\n"
		"become records (grtrace import --events), unless a capture of that machine has\n"
		"them; each other event becomes a line \"<event>: <fields>\". The result also\n"
		"reports losses.\n"
		"\n"
		"Clocks: two files with the same clock of one boot need no option (record with\n"
		"trace-cmd -C mono, perf -k mono). Otherwise the wall clock is used if both have\n"
		"it; if not, give --clock-offset. The table shows which clock was used, and how\n"
		"far off it may be. If the time of a record would be before 0 on the result's\n"
		"clock, that is an error, and nothing is written.\n"
		"\n"
		"Machines: captures of different boots count as different machines, named m1, m2,\n"
		"... or MACHINE; other files belong to the first unless MACHINE names another.\n"
		"The n-th machine after the first gets other numbers: CPU + n * {}, pid + n *\n"
		"4194304, context + n * 2^48; its devices are called MACHINE/DEVICE.\n"
		"\n"
		"{}",
		describe_options(table), Machine::cpus,
		describe_end(
			{{"grtrace merge -o all game trace.dat", "with what trace-cmd recorded"},
			 {"grtrace merge -o both guest=guest host=host", "of two machines"}},
			{{"0", "done"},
			 {"1", "something could not be read or put on the clock"},
			 {"2", "wrong usage"},
			 {"3", "records were lost (--strict)"}}));
}

Status MergeOptions::add_shift(const std::string &argument)
{
	const size_t equals = argument.rfind('=');
	const size_t at = equals == argument.npos ? 0 : equals + 1;
	int64_t ns = 0;

	if (equals) {
		const char *begin = argument.data() + at;
		const char *end = argument.data() + argument.size();
		const std::from_chars_result got =
			std::from_chars(begin + (*begin == '+'), end, ns);

		if (got.ec == std::errc() && got.ptr == end) {
			shifts.push_back({argument.substr(0, at ? equals : 0), ns});
			return {};
		}
	}
	return Status::error("--clock-offset wants FILE=NS, such as trace.dat=-1500, not \"{}\"",
			     argument);
}

Status MergeOptions::add_input(const std::string &argument)
{
	const size_t equals = argument.find('=');
	const size_t slash = argument.find('/');

	// A path with "=" in it is written ./a=b.
	if (equals == argument.npos || !equals || slash < equals)
		inputs.push_back({argument, ""});
	else
		inputs.push_back({argument.substr(equals + 1), argument.substr(0, equals)});
	return {};
}

// Finds the file for an offset that names none.
Status MergeOptions::name_shifts()
{
	for (Shift &shift : shifts) {
		if (!shift.path.empty())
			continue;
		if (inputs.size() != 2)
			return Status::error(
				"--clock-offset {}: there are {} inputs, name one: FILE={}",
				shift.ns, inputs.size(), shift.ns);
		shift.path = inputs[1].path;
	}
	return {};
}

Status MergeOptions::check() const
{
	if (inputs.empty())
		return Status::error("no input; see --help");
	if (output.empty() && !stats_only)
		return Status::error("-o is missing: name the file for the merged capture");
	for (const Shift &shift : shifts)
		if (std::none_of(inputs.begin(), inputs.end(),
				 [&](const MergeInput &input) { return input.path == shift.path; }))
			return Status::error("--clock-offset {}: there is no such input",
					     shift.path);
	return {};
}

Status MergeOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this, [this](const GivenOption &given) {
		return add_input(given.argument);
	});

	if (!status.ok() || help || version)
		return status;
	status = name_shifts();
	return status.ok() ? check() : status;
}

} // namespace grtrace
