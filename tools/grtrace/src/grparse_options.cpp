// SPDX-License-Identifier: GPL-2.0
#include "grparse_options.h"

#include "event_columns.h"
#include "format.h"
#include "options.h"
#include "vocabulary.h"

namespace grtrace {

enum { option_help = 256, option_strict, option_csv, option_json };

// Letters and meanings are blkparse's; -h is left free as it means something
// else there.
static const Option table[] = {
	{'i', "input", "NAME",
	 "capture: base name of NAME.grtrace.<cpu>, a file or FIFO with "
	 "the packets of all CPUs, or - for stdin; repeatable"},
	{'a', "act-mask", "TYPE[,TYPE...]",
	 "show only events of these types (names or letters); "
	 "repeatable"},
	{'A', "set-mask", "HEX", "the same as a number: bit n is type n"},
	{'d', "dump-binary", "FILE",
	 "write the sorted binary stream to FILE or - (not affected "
	 "by -f, but by -a, -A, -w)"},
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{'f', "format", "FORMAT", "output format of all actions"},
	{'F', "format-spec", "X,FORMAT", "output format of action X"},
	{'o', "output", "FILE", "text to FILE, default is stdout"},
	{'O', "no-text-output", nullptr, "no text but the summary"},
	{'q', "quiet", nullptr, "no summary at the end"},
	{'s', "per-program-stats", nullptr, "a table of programs"},
	{'w', "stopwatch", "[START:]END",
	 "only this interval, in seconds since the start"},
	{option_csv, "csv", nullptr,
	 "all events and notes as CSV with a line of names (see Columns); the "
	 "summary goes to stderr"},
	{option_json, "json", nullptr, "the same as one JSON object a line"},
	{'v', "verbose", nullptr,
	 "show RING and TASK notes and records of unknown type too"},
	{'V', "version", nullptr, "print the version"},
	{option_strict, "strict", nullptr, "exit 3 if records were lost"},
	{option_help, "help", nullptr, "print this"},
};

static std::string describe_actions()
{
	std::string text;

	for_each_record_kind([&](const RecordKind &kind) {
		// The decoder keeps these for itself.
		if (kind.type == GRTRACE_PACKET ||
		    kind.type == GRTRACE_STREAM_INFO ||
		    kind.type == GRTRACE_METADATA)
			return;
		text += fmt::format("  {:<3} {}\n", kind.letter, kind.name);
	});
	return text;
}

static std::string describe_classes()
{
	std::string text;

	for (uint32_t n = 0; n < GRTRACE_CLASS_COUNT; n++)
		text += fmt::format("  {}  {}\n", engine_letter(n),
				    engine_name(n));
	return text;
}

std::string GrparseOptions::help_text()
{
	return fmt::format(
		"grparse shows the GPU job events of a capture.\n\n"
		"usage: grparse [options] [-i] NAME...\n\n{}\n"
		"Fields of a format, as %[-][width]letter; escapes are \\b "
		"\\n \\r \\t \\\\:\n{}\n"
		"The default is \"%D %2c %8s %5T.%9t %5p %2a %3d \" and what "
		"the action has to tell.\n\n"
		"Actions:\n{}\nEngine classes:\n{}\n"
		"Columns of --csv and keys of --json; what is missing is NA or "
		"null:\n{}\n"
		"exit: 0, 1 something could not be read, 2 wrong usage, 3 "
		"records lost (--strict)\n",
		describe_options(table), Format::describe_fields(),
		describe_actions(), describe_classes(),
		describe_event_columns());
}

Status GrparseOptions::set_rows(RowPrinter::Form form, const std::string &shown)
{
	if (rows)
		return Status::error("{}: lines have one form: give --csv or "
				     "--json once",
				     shown);
	rows.emplace(form);
	return {};
}

Status GrparseOptions::parse(int argc, char **argv)
{
	std::vector<GivenOption> given;
	Status status =
		parse_options(table, {argv + (argc > 0), argv + argc}, given);

	if (!status.ok())
		return Status::error("{}; see --help", status.sentence());

	for (size_t i = 0; status.ok() && i < given.size(); i++) {
		const std::string &argument = given[i].argument;

		switch (given[i].id) {
		case 0:
		case 'i':
			inputs.push_back(argument);
			break;
		case 'a':
			status = filter.add_types(argument);
			break;
		case 'A':
			status = filter.set_types(argument);
			break;
		case 'd':
			dump = argument;
			break;
		case 'D':
			directory = argument;
			break;
		case 'f':
			status = printer.set_format(argument);
			break;
		case 'F':
			status = printer.set_format_of(argument);
			break;
		case 'o':
			output = argument;
			break;
		case 'O':
			text = false;
			break;
		case 'q':
			summary = false;
			break;
		case 's':
			per_program = true;
			break;
		case 'w':
			status = filter.set_interval(argument);
			break;
		case 'v':
			verbose = true;
			break;
		case 'V':
			version = true;
			break;
		case option_csv:
			status = set_rows(RowPrinter::Form::csv,
					  given[i].shown);
			break;
		case option_json:
			status = set_rows(RowPrinter::Form::json,
					  given[i].shown);
			break;
		case option_strict:
			strict = true;
			break;
		case option_help:
			help = true;
			break;
		}
	}
	if (!status.ok() || help || version)
		return status;
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	if (!dump.empty() && inputs.size() > 1)
		return Status::error("-d writes one session: give one capture");
	if (dump == "-" && output == "-" && text)
		return Status::error("-d - and text cannot share standard "
				     "output: add -O, or -o FILE");
	return {};
}

} // namespace grtrace
