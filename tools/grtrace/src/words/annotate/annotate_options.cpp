// SPDX-License-Identifier: GPL-2.0
#include "words/annotate/annotate_options.h"

#include "lib/options/options.h"
#include "lib/text/words_of.h"

namespace grtrace {

namespace {

enum {
	option_no_waits = 256,
	option_strict,
	option_help,
};

const Option table[] = {
	{'o', "output", "FILE", "the capture; -: to stdout; default is annotations.grtrace"},
	{'p', "pid", "PID[,...]",
	 "only these processes or threads, without their children; "
	 "repeatable"},
	{'w', "stopwatch", "S", "stop after S seconds"},
	{'b', "buffer-size", "KIB",
	 "of the buffer between kernel and file: a power of 2 from 4 to "
	 "262144; default is 4096"},
	{option_no_waits, "no-waits", nullptr,
	 "no waits for fences: for a capture that is merged with one that has "
	 "them"},
	{option_strict, "strict", nullptr, "exit with 3 if records were lost"},
	{'V', "version", nullptr, "print the version"},
	{option_help, "help", nullptr, "print this text"},
};

constexpr uint64_t most_seconds = INT32_MAX;
constexpr uint64_t least_buffer_kib = 4;
constexpr uint64_t most_buffer_kib = 262144;
constexpr size_t most_pids = 1024; // as the BPF map holds

} // namespace

std::string AnnotateOptions::help_text()
{
	return fmt::format("grtrace annotate records DRM ioctls and waits for fences: who "
			   "called what,\nhow long it took and what it returned. Needs no "
			   "module, but BPF, BTF and root.\n\n"
			   "usage: grtrace annotate [options] [-- COMMAND...]\n\n{}\n"
			   "It runs until Ctrl-C, the end of -w's time or of COMMAND. "
			   "Read the capture with\ngrparse, alone or beside that of "
			   "grtrace record from the same time.\n\n"
			   "exit: 0 or that of COMMAND, 1 it could not be recorded, 2 "
			   "wrong usage, 3 records lost\n(--strict)\n",
			   describe_options(table));
}

Status AnnotateOptions::set_buffer(const std::string &argument)
{
	uint64_t kib;

	if (!parse_id(argument, most_buffer_kib, kib) || kib < least_buffer_kib || kib & (kib - 1))
		return Status::error("-b: '{}' is no power of 2 from {} to {}", argument,
				     least_buffer_kib, most_buffer_kib);
	buffer_kib = static_cast<uint32_t>(kib);
	return {};
}

Status AnnotateOptions::add_pids(const std::string &argument)
{
	return for_each_word("-p", argument, [this](std::string_view word) {
		uint64_t pid;

		if (!parse_id(word, INT32_MAX, pid) || !pid)
			return Status::error("-p: '{}' is no process", word);
		if (pids.size() == most_pids)
			return Status::error("-p: more than {} processes", most_pids);
		pids.push_back(static_cast<uint32_t>(pid));
		return Status();
	});
}

Status AnnotateOptions::set(int id, const std::string &argument)
{
	uint64_t number;

	switch (id) {
	case 'o':
		output = argument;
		return argument.empty() ? Status::error("-o: its argument is "
							"empty") :
					  Status();
	case 'p':
		return add_pids(argument);
	case 'w':
		if (!parse_id(argument, most_seconds, number) || !number)
			return Status::error("-w: '{}' is not 1 to {} seconds", argument,
					     most_seconds);
		seconds = static_cast<unsigned int>(number);
		break;
	case 'b':
		return set_buffer(argument);
	case option_no_waits:
		waits = false;
		break;
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

Status AnnotateOptions::parse(int argc, char **argv)
{
	std::vector<GivenOption> given;
	Status status = parse_options(table, {argv + (argc > 0), argv + argc}, given);

	for (const GivenOption &option : given) {
		if (!status.ok())
			break;
		if (option.id)
			status = set(option.id, option.argument);
		else if (option.after_dashes)
			command.push_back(option.argument);
		else
			status = Status::error("'{}': a command stands behind "
					       "--",
					       option.argument);
	}
	if (!status.ok())
		return Status::error("{}; see --help", status.sentence());
	return {};
}

} // namespace grtrace
