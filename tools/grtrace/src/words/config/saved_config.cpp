// SPDX-License-Identifier: GPL-2.0
#include "words/config/saved_config.h"

#include <algorithm>

#include "drive/control/config_backup.h"
#include "drive/control/config_keys.h"

namespace grtrace {

using Kind = ConfigKey::Kind;

Status parse_setting(const std::string &text, NamedText *setting)
{
	const size_t middle = text.find('=');

	if (middle == std::string::npos || middle == 0)
		return Status::error("'{}' is not key=value", text);
	if (text.find_first_of(" \t\n") != std::string::npos)
		return Status::error("'{}' contains white space, which is not allowed", text);
	*setting = {text.substr(0, middle), text.substr(middle + 1)};
	const ConfigKey *key = find_config_key(setting->first);
	if (!key)
		return Status();
	Status status = check_value(*key, setting->second);
	if (!status.ok())
		return Status::error("{}: {}", text, status.sentence());
	setting->second = kernel_value(*key, setting->second);
	return Status();
}

std::vector<NamedText> reset_settings(const std::vector<NamedText> &there)
{
	std::vector<NamedText> settings;

	for (const ConfigKey &key : config_keys()) {
		if (key.kind != Kind::action && find_named(there, key.name))
			set_to(key.name, key.standard, &settings);
	}
	return settings;
}

std::string saved_config(const std::vector<NamedText> &there)
{
	std::vector<NamedText> settings;

	for (const NamedText &pair : there) {
		const ConfigKey *key = find_config_key(pair.first);

		if (!key || key->kind != Kind::action)
			set_to(pair.first, pair.second, &settings);
	}
	return "# for grtrace config --load\n" + join_settings(settings, '\n') + "\n";
}

Status parse_saved_config(const std::string &text, std::vector<NamedText> *settings)
{
	unsigned int number = 0;

	for (std::string &line : split(text, '\n')) {
		number++;
		line.erase(std::min(line.find('#'), line.size()));
		for (char &c : line) {
			if (c == '\t' || c == '\r')
				c = ' ';
		}
		for (const std::string &word : split(line, ' ')) {
			if (word.empty())
				continue;
			Status status = parse_setting(word, &settings->emplace_back());
			if (!status.ok())
				return Status::error("line {}: {}", number, status.sentence());
		}
	}
	if (settings->empty())
		return Status::error("it has no key=value");
	return Status();
}

} // namespace grtrace
