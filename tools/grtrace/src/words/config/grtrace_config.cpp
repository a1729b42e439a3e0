// SPDX-License-Identifier: GPL-2.0
//
// grtrace-config: shows the configuration, changes it, saves and loads it.
#include "drive/control/config_keys.h"
#include "drive/control/control.h"
#include "lib/files/packet_output.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/config/config_options.h"
#include "words/config/saved_config.h"
#include "words/program/word_program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace grtrace;

namespace {

Status read_file(const std::string &path, std::string *text)
{
	FILE *file = path == "-" ? stdin : fopen(path.c_str(), "re");
	char block[4096];

	if (!file)
		return Status::error("{}: {}", path, strerror(errno));
	for (size_t got; (got = fread(block, 1, sizeof(block), file));)
		text->append(block, got);
	const bool failed = ferror(file);
	if (file != stdin)
		fclose(file);
	if (failed)
		return Status::error("{}: cannot be read", path);
	return Status();
}

Status write_file(const std::string &path, const std::string &text)
{
	Output output;
	Status status = Status();

	if (path == "-")
		output.use_stdout();
	else
		status = output.create(path, usual_mode);
	if (status.ok())
		status = output.write(text.data(), text.size());
	if (status.ok())
		status = output.close();
	return status;
}

// An unknown key is a typing error, for which the kernel only has EINVAL.
Status check_key(const std::string &name, const std::vector<NamedText> &there)
{
	if (find_named(there, name))
		return Status();
	if (find_config_key(name))
		return Status::error("{}: this kernel's grtrace does not have it; there are: {}",
				     name, key_names(there));
	if (const char *instead = instead_of_key(name))
		return Status::error("{}: {}", name, instead);
	return Status::error("{}: unknown key; there are: {}", name, key_names(there));
}

Status change(const Control &control, const std::vector<std::string> &words,
	      const std::vector<NamedText> &there)
{
	std::vector<NamedText> settings;
	Status status = Status();

	for (const std::string &word : words) {
		NamedText &setting = settings.emplace_back();

		if (status.ok())
			status = parse_setting(word, &setting);
		if (status.ok())
			status = check_key(setting.first, there);
	}
	return status.ok() ? control.configure(settings) : status;
}

Status load(const Control &control, const std::string &path)
{
	std::vector<NamedText> settings;
	std::string text;
	Status status = read_file(path, &text);

	if (!status.ok())
		return status;
	status = parse_saved_config(text, &settings);
	if (!status.ok())
		return Status::error("{}: {}", path, status.sentence());
	return control.configure(settings);
}

Status show_one(const std::string &name, const std::vector<NamedText> &there)
{
	Status status = check_key(name, there);

	if (status.ok())
		print_to(stdout, "{}\n", *find_named(there, name));
	return status;
}

// Only one of these at a time, because the order in which they apply would not be obvious.
Status check_words(const ConfigOptions &options)
{
	const int asked = options.reset + !options.save.empty() + !options.load.empty() +
			  !options.arguments.empty();

	if (asked > 1)
		return Status::error("keys, --reset, --save and --load cannot be combined: use one "
				     "after the other");
	return Status();
}

Status configure(const ConfigOptions &options)
{
	const std::vector<std::string> &words = options.arguments;
	Control control;
	std::string text;
	Status status = check_words(options);

	if (status.ok())
		status = control.open(options.debugfs);
	if (status.ok())
		status = control.read("config", &text);
	if (!status.ok())
		return status;
	const std::vector<NamedText> there = parse_named(text, '=');
	if (options.reset)
		return control.configure(reset_settings(there));
	if (!options.save.empty())
		return write_file(options.save, saved_config(there));
	if (!options.load.empty())
		return load(control, options.load);
	if (words.size() == 1 && words[0].find('=') == std::string::npos)
		return show_one(words[0], there);
	if (!words.empty())
		return change(control, words, there);
	print_to(stdout, "{}", text);
	return status;
}

class Run {
public:
	explicit Run(const ConfigOptions &options) : options_(options) {}

	int run()
	{
		Status status = configure(options_);

		if (status.ok())
			return exit_ok;
		print_to(stderr, "grtrace: {}\n", status.sentence());
		return exit_error;
	}

private:
	const ConfigOptions &options_;
};

} // namespace

int main(int argc, char **argv)
{
	return run_word("config", word_main<ConfigOptions, Run>, argc, argv);
}
