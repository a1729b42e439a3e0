// SPDX-License-Identifier: GPL-2.0
//
// Probes of kernel functions, which tracefs creates and which stay until they are removed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// Writes a line to tracefs' kprobe_events; returns 0 or errno.
int write_kprobe_event(const std::string &line);

// Returns the name of a probe of this process. All users of such probes share their names.
std::string kprobe_name(std::string_view event);

// Returns the probes, as GROUP/NAME, that this text of kprobe_events has of processes of ours
// that are gone: they were killed.
std::vector<std::string> left_kprobes(std::string_view text);

// Removes those. Call it when no instance is left that uses them.
void remove_left_kprobes();

} // namespace grtrace
