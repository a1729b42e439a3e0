// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "status.h"
#include "views.h"

#include <string>
#include <vector>

// What the tools know of the keys of debugfs's `config`: enough to name the
// culprit and its allowed values when the kernel only says EINVAL. Keys that
// are not known here are passed on: the kernel may be newer.
namespace grtrace {

// Takes "key=value" apart; the value may not contain white space, which would
// make it a second word for the kernel.
Status parse_setting(const std::string &text, NamedText *setting);

// Whether a key may only change while no session runs.
bool is_idle_only(const std::string &key);

// Why the kernel refused these settings with this errno. It takes all of them
// or none, so nothing has changed. @there is the text of `config` as read.
std::string explain_refusal(const std::vector<NamedText> &settings, int error,
			    const std::string &there);

// key=value words; the kernel takes spaces and newlines between them.
std::string join_settings(const std::vector<NamedText> &settings,
			  char separator);

} // namespace grtrace
