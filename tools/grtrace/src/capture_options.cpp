// SPDX-License-Identifier: GPL-2.0
#include "capture_options.h"

#include "config_keys.h"
#include "option_table.h"

#include <fmt/format.h>

#include <span>

namespace grtrace {

namespace {

const WordSpec &spec_of(Word word)
{
	for (const WordSpec &spec :
	     std::span(capture_words, nr_capture_words)) {
		if (spec.word == word)
			return spec;
	}
	return capture_words[0];
}

// Walks the arguments; the only state of a parse.
class Parser {
public:
	Parser(Word word, const std::vector<std::string> &args,
	       CaptureOptions *options)
		: word_(word), args_(args), options_(options)
	{
	}
	Status run();

private:
	Status parse_long(const std::string &text);
	Status parse_letters(const std::string &text);
	Status apply(const OptionSpec &spec, const std::string &shown,
		     const std::string *attached);
	Status take_positional(const std::string &text);
	const OptionSpec *find(char letter, const std::string &name) const;

	Word word_;
	const std::vector<std::string> &args_;
	CaptureOptions *options_;
	size_t next_ = 0;
};

Status Parser::run()
{
	Status status = Status();

	while (next_ < args_.size() && status.ok()) {
		const std::string &text = args_[next_++];

		if (text == "--")
			break;
		if (text.starts_with("--"))
			status = parse_long(text);
		else if (text.size() > 1 && text[0] == '-')
			status = parse_letters(text);
		else
			status = take_positional(text);
	}
	for (; next_ < args_.size() && status.ok(); next_++) {
		if (word_ == Word::record)
			options_->command.push_back(args_[next_]);
		else
			status = take_positional(args_[next_]);
	}
	return status;
}

Status Parser::parse_long(const std::string &text)
{
	const size_t equals = text.find('=');
	const std::string shown = text.substr(0, equals);
	const OptionSpec *spec = find(0, shown.substr(2));

	if (!spec)
		return Status::error("unknown option {}", shown);
	if (equals == std::string::npos)
		return apply(*spec, shown, nullptr);
	const std::string value = text.substr(equals + 1);
	if (!spec->argument)
		return Status::error("{} takes no argument", shown);
	return apply(*spec, shown, &value);
}

// "-kw5" is -k, then -w with 5.
Status Parser::parse_letters(const std::string &text)
{
	for (size_t i = 1; i < text.size(); i++) {
		const std::string shown = { '-', text[i] };
		const OptionSpec *spec =
			find(text[i] == 'V' ? 'v' : text[i], "");

		if (!spec)
			return Status::error("unknown option {}", shown);
		if (spec->argument && i + 1 < text.size()) {
			const std::string rest = text.substr(i + 1);

			return apply(*spec, shown, &rest);
		}
		Status status = apply(*spec, shown, nullptr);
		if (!status.ok() || spec->argument)
			return status;
	}
	return Status();
}

Status Parser::apply(const OptionSpec &spec, const std::string &shown,
		     const std::string *attached)
{
	std::string value;

	if (attached)
		value = *attached;
	else if (spec.argument && next_ < args_.size())
		value = args_[next_++];
	else if (spec.argument)
		return Status::error("{} needs an argument: {}", shown,
				     spec.argument);
	Status status = spec.set(*options_, value);
	if (status.ok())
		return status;
	return Status::error("{}: {}", shown, status.sentence());
}

Status Parser::take_positional(const std::string &text)
{
	switch (word_) {
	case Word::record:
	case Word::start:
		options_->devices.push_back(text);
		return Status();
	case Word::config:
	case Word::msg:
		options_->arguments.push_back(text);
		return Status();
	default:
		return Status::error("what is '{}'? {} takes only options",
				     text, word_name(word_));
	}
}

const OptionSpec *Parser::find(char letter, const std::string &name) const
{
	for (const OptionSpec &spec :
	     std::span(capture_table, nr_capture_options)) {
		if (!(spec.words & word_bit(word_)))
			continue;
		if (letter ? spec.letter == letter : name == spec.name)
			return &spec;
	}
	return nullptr;
}

} // namespace

bool find_word(const std::string &text, Word *word)
{
	for (const WordSpec &spec :
	     std::span(capture_words, nr_capture_words)) {
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
	return Parser(word, args, options).run();
}

// In the right column of --help, which begins at the 28th.
static std::string wrapped(const std::string &help)
{
	constexpr size_t width = 52, indent = 28;
	std::string text;
	size_t column = 0;

	for (const std::string &word : split(help, ' ')) {
		if (column && column + 1 + word.size() > width) {
			text += "\n" + std::string(indent, ' ');
			column = 0;
		} else if (column) {
			text += ' ';
			column++;
		}
		text += word;
		column += word.size();
	}
	return text;
}

std::string capture_usage(Word word)
{
	return fmt::format("Usage: grtrace {} {}\n", word_name(word),
			   spec_of(word).usage);
}

std::string capture_help(Word word)
{
	std::string text = capture_usage(word);

	text += fmt::format("\n{}\n\nOptions:\n", spec_of(word).help);
	for (const OptionSpec &spec :
	     std::span(capture_table, nr_capture_options)) {
		if (!(spec.words & word_bit(word)))
			continue;
		std::string left = spec.letter
					   ? fmt::format("-{}, ", spec.letter)
					   : std::string("    ");
		left += fmt::format("--{}", spec.name);
		if (spec.argument)
			left += fmt::format(" {}", spec.argument);
		text += fmt::format("  {:<26}{}\n", left, wrapped(spec.help));
	}
	if (word == Word::config)
		text += "\n" + config_key_table();
	return text + "\nExit: 0 done, 1 error, 2 usage, 3 records were lost "
		      "(--strict); with CMD, its own.\n";
}

std::string capture_overview()
{
	std::string text = "Usage: grtrace [WORD] [OPTIONS]\n\n";

	for (const WordSpec &spec : std::span(capture_words, nr_capture_words))
		text += fmt::format("  grtrace {:<9}{}\n", spec.name,
				    spec.usage);
	return text + "  grtrace report   [OPTIONS] CAPTURE...\n"
		      "\nOptions without a word are record's: grtrace -d card0 "
		      "-o - | grparse -i -\n"
		      "grtrace WORD --help tells about one.\n";
}

} // namespace grtrace
