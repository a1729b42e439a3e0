// SPDX-License-Identifier: GPL-2.0
//
// A recording must leave the machine configured as it found it. Lists can only be emptied
// and added to, so they are restored in two steps.
#include "drive/control/config_backup.h"

#include "drive/control/config_keys.h"
#include "drive/control/control.h"

#include <cstring>

namespace grtrace {

using Kind = ConfigKey::Kind;

namespace {

constexpr const char *list_suffix = "_add";

// Returns the key that empties a list: for watch_ctx_add it is watch_ctx_clear.
std::string clear_key(const std::string &add_key)
{
	return add_key.substr(0, add_key.size() - strlen(list_suffix)) + "_clear";
}

} // namespace

void set_to(const std::string &name, const std::string &value, std::vector<NamedText> *settings)
{
	const ConfigKey *key = find_config_key(name);

	if (key && key->kind == Kind::list) {
		settings->emplace_back(clear_key(name), "1");
		if (value == "none")
			return;
	}
	settings->emplace_back(name, key ? kernel_value(*key, value) : value);
}

std::vector<NamedText> undo_settings(const std::vector<NamedText> &settings,
				     const std::vector<NamedText> &before)
{
	std::vector<NamedText> undo;

	for (const NamedText &setting : settings) {
		const std::string *old = find_named(before, setting.first);
		const ConfigKey *key = find_config_key(setting.first);

		// An emptied list is restored by the key that fills it; if it was
		// emptied and not filled again, by its own key.
		if (!old || (key && key->kind == Kind::action) || *old == setting.second ||
		    find_named(undo, setting.first))
			continue;
		set_to(setting.first, *old, &undo);
	}
	return undo;
}

Status ConfigBackup::take(const Control &control)
{
	std::string text;
	Status status = control.read("config", &text);

	before_ = parse_named(text, '=');
	return status;
}

Status ConfigBackup::change(const Control &control, const std::vector<NamedText> &settings)
{
	// There is nothing to write, and the kernel refuses an empty write.
	if (settings.empty())
		return Status();
	Status status = control.configure(settings);
	if (status.ok())
		undo_ = undo_settings(settings, before_);
	return status;
}

Status ConfigBackup::restore(const Control &control)
{
	std::string state;

	if (undo_.empty())
		return Status();
	Status status = control.state(&state);
	if (status.ok() && state == "running")
		status = Status::error("another session has been started since");
	if (status.ok())
		status = control.configure(undo_);
	if (!status.ok())
		status = Status::error("could not restore the previous configuration: {}\nset it "
				       "with grtrace config {}",
				       status.sentence(), join_settings(undo_, ' '));
	undo_.clear();
	return status;
}

} // namespace grtrace
