// SPDX-License-Identifier: GPL-2.0
//
// One table has the options of all these words; each word uses its own part of it.
#include "drive/options/capture_words.h"

#include "drive/options/option_table.h"
#include "lib/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace grtrace {

namespace {

const WordSpec &spec_of(Word word)
{
	return *std::ranges::find(std::span(capture_words, nr_capture_words), word,
				  &WordSpec::word);
}

// Returns the word's part of the table.
std::vector<WordOption<CaptureOptions>> options_of(Word word)
{
	std::vector<WordOption<CaptureOptions>> options;

	for (const WordOption<CaptureOptions> &one : std::span(capture_table, nr_capture_options))
		if (one.words & word_bit(word))
			options.push_back(one);
	return options;
}

Status take_word(Word word, const GivenOption &given, CaptureOptions *options)
{
	switch (word) {
	case Word::record:
		(given.after_dashes ? options->command : options->devices)
			.push_back(given.argument);
		return Status();
	case Word::start:
		options->devices.push_back(given.argument);
		return Status();
	case Word::msg:
		options->arguments.push_back(given.argument);
		return Status();
	default:
		return Status::error("what is '{}'? {} takes only options", given.argument,
				     word_name(word));
	}
}

Status take_option(const WordOption<CaptureOptions> &option, const GivenOption &given,
		   CaptureOptions *options)
{
	Status status = set_option(option, *options, given.argument);

	if (status.ok() && option.argument && given.argument.empty())
		status = Status::error("its argument is empty");
	return status.ok() ? status : Status::error("{}: {}", given.shown, status.sentence());
}

} // namespace

bool find_word(const std::string &text, Word *word)
{
	const std::span<const WordSpec> specs(capture_words, nr_capture_words);
	const auto found = std::ranges::find(specs, text, &WordSpec::name);

	if (found == specs.end())
		return false;
	*word = found->word;
	return true;
}

const char *word_name(Word word)
{
	return spec_of(word).name;
}

Status parse_capture_options(Word word, const std::vector<std::string> &args,
			     CaptureOptions *options)
{
	const std::vector<WordOption<CaptureOptions>> table = options_of(word);
	std::vector<GivenOption> given;
	Status status = parse_options(plain_options<CaptureOptions>(table), args, given);

	for (const GivenOption &one : given) {
		if (!status.ok())
			return status;
		status = one.id ? take_option(option_of<CaptureOptions>(table, one), one, options) :
				  take_word(word, one, options);
	}
	if (status.ok() && !options->user.empty() && options->command.empty())
		return Status::error("--user is who runs the command: give one, after --");
	return status;
}

std::string capture_usage(Word word)
{
	return fmt::format("Usage: grtrace {} {}\n", word_name(word), spec_of(word).usage);
}

std::string capture_help(Word word)
{
	const WordSpec &spec = spec_of(word);
	std::vector<HelpLine> statuses = {
		{"0", word == Word::record ? "done, or the status of CMD" : "done"},
		{"1", "an error"},
		{"2", "wrong usage"}};

	if (word == Word::record)
		statuses.push_back({"3", "records were lost (--strict)"});
	return fmt::format("grtrace {} {}\n\n{}\n{}\n{}{}", spec.name, spec.sentence,
			   capture_usage(word),
			   describe_options(plain_options<CaptureOptions>(options_of(word))),
			   spec.help, describe_end({spec.examples[0], spec.examples[1]}, statuses));
}

std::vector<std::string_view> capture_word_names()
{
	std::vector<std::string_view> names;

	for (const WordSpec &spec : std::span(capture_words, nr_capture_words))
		names.push_back(spec.name);
	return names;
}

std::string capture_overview()
{
	std::string text;

	for (const WordSpec &spec : std::span(capture_words, nr_capture_words))
		text += fmt::format("  {:<10}{}\n", spec.name, spec.what);
	return text;
}

} // namespace grtrace
