// SPDX-License-Identifier: GPL-2.0
#include "words/config/config_options.h"

#include "drive/control/config_keys.h"
#include "lib/options/word_options.h"
#include "words/session/session_options.h"

namespace grtrace {

using Word = WordOption<ConfigOptions>;

static const Word table[] = {
	option_group<ConfigOptions>("Options"),
	{0, "reset", nullptr, "set every key to its default", &ConfigOptions::reset},
	{0, "save", "FILE", "write the configuration to FILE, or - for stdout",
	 &ConfigOptions::save},
	{0, "load", "FILE", "apply the settings in FILE", &ConfigOptions::load},
	relay_option<ConfigOptions>,
	version_option<ConfigOptions>,
	blktrace_version_option<ConfigOptions>,
	help_option<ConfigOptions>,
};

// Returns the keys with defaults and values, each with its meaning below.
static std::string key_table()
{
	std::string text = fmt::format("{:<24}{:<10}{}\n", "KEY", "DEFAULT", "VALUES");

	for (const ConfigKey &key : config_keys())
		text += fmt::format("{:<24}{:<10}{}\n    {}\n",
				    fmt::format("{}{}", key.name, key.idle_only ? " *" : ""),
				    key.standard, key.values, key.meaning);
	return text + "* not while a session runs\n"
		      "Numbers are decimal, 0x or, with a 0 in front, octal.\n";
}

std::string ConfigOptions::help_text()
{
	return fmt::format(
		"grtrace config shows the configuration, or one key's value, or changes it.\n"
		"\n"
		"Usage: grtrace config [KEY | KEY=VALUE... | --reset | --save FILE | --load FILE]\n"
		"\n"
		"{}\n"
		"All changes of one command apply, or none.\n"
		"\n"
		"{}\n"
		"{}",
		describe_options(table), key_table(),
		describe_end({{"grtrace config mode=overwrite sample=10", "change two keys"},
			      {"grtrace config --reset", "all keys to their defaults"}},
			     {{"0", "done"}, {"1", "an error"}, {"2", "wrong usage"}}));
}

Status ConfigOptions::parse(int argc, char **argv)
{
	return read_options(table, argc, argv, *this, [&](const GivenOption &given) {
		arguments.push_back(given.argument);
		return Status();
	});
}

} // namespace grtrace
