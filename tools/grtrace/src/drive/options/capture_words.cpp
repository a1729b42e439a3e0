// SPDX-License-Identifier: GPL-2.0
//
// The table of options is for all of these words at once; each takes its own part of it.
#include "drive/options/capture_words.h"

#include "drive/options/option_table.h"
#include "lib/options/options.h"

#include <fmt/format.h>

#include <span>

namespace grtrace {

namespace {

const WordSpec &spec_of(Word word)
{
	for (const WordSpec &spec : std::span(capture_words, nr_capture_words)) {
		if (spec.word == word)
			return spec;
	}
	return capture_words[0];
}

// Where numbers for options without a letter begin.
constexpr int first_number = 256;

// The word's part of the table; the number of an option is its place there, so
// that it is found again.
std::vector<Option> options_of(Word word)
{
	std::vector<Option> options;

	for (unsigned int i = 0; i < nr_capture_options; i++) {
		const OptionSpec &spec = capture_table[i];

		if (!(spec.words & word_bit(word)))
			continue;
		options.push_back({spec.letter ? spec.letter : first_number + int(i), spec.name,
				   spec.argument, spec.help});
		// blktrace has both letters.
		if (spec.letter == 'v')
			options.push_back({'V', "", nullptr, nullptr});
	}
	return options;
}

const OptionSpec &option_spec(Word word, int id)
{
	if (id >= first_number)
		return capture_table[id - first_number];
	for (const OptionSpec &spec : std::span(capture_table, nr_capture_options)) {
		if ((spec.words & word_bit(word)) && spec.letter == (id == 'V' ? 'v' : id))
			return spec;
	}
	return capture_table[0];
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

Status take_option(Word word, const GivenOption &given, CaptureOptions *options)
{
	Status status = option_spec(word, given.id).set(*options, given.argument);

	if (status.ok())
		return status;
	return Status::error("{}: {}", given.shown, status.sentence());
}

} // namespace

bool find_word(const std::string &text, Word *word)
{
	for (const WordSpec &spec : std::span(capture_words, nr_capture_words)) {
		if (text == spec.name) {
			*word = spec.word;
			return true;
		}
	}
	return false;
}

const char *word_name(Word word)
{
	return spec_of(word).name;
}

Status parse_capture_options(Word word, const std::vector<std::string> &args,
			     CaptureOptions *options)
{
	std::vector<GivenOption> given;
	Status status = parse_options(options_of(word), args, given);

	for (const GivenOption &one : given) {
		if (!status.ok())
			return status;
		status = one.id ? take_option(word, one, options) : take_word(word, one, options);
	}
	return status;
}

std::string capture_usage(Word word)
{
	return fmt::format("Usage: grtrace {} {}\n", word_name(word), spec_of(word).usage);
}

std::string capture_help(Word word)
{
	std::string text = capture_usage(word);

	text += fmt::format("\n{}\n\nOptions:\n", spec_of(word).help);
	text += describe_options(options_of(word));
	text += "\nExit: 0 done, 1 error, 2 usage";
	if (word == Word::record)
		text += ", 3 records were lost (--strict); with CMD, its own";
	return text + ".\n";
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
