// SPDX-License-Identifier: GPL-2.0
//
// HostFacts: the machine of a capture by name, the tags that its user gave it, and the names
// of its GPUs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

// Any bytes, except that a key is not empty and contains no '='. In METADATA they are lines
//
//	host <word>
//	tag <word> <word>
//	node <name>...
//
// In a word of the first two, bytes other than letters, digits and most punctuation are written
// as %XX, so that a line stays a line.
struct HostFacts {
	using Tag = std::pair<std::string, std::string>;

	std::string host; // empty: not recorded
	std::vector<Tag> tags; // each key once
	// Each has the names of a DRM node: "card0 0000:00:02.0".
	std::vector<std::string> nodes = {};

	// text is KEY=VALUE; the last value of a key counts.
	Status add_tag(std::string_view text);
	// Does the same for a line of METADATA without its first word.
	void learn_host(std::string_view word);
	void learn_tag(std::string_view key, std::string_view value);
	void learn_node(std::string_view names);
	std::string lines() const;

	bool operator==(const HostFacts &) const = default;
};

// Returns the name of this machine.
std::string machine_name();

// Returns a METADATA record for each line: together they may exceed the size of one.
std::string metadata_records(std::string_view lines);
std::string host_metadata(const HostFacts &facts);

// Puts the lines into the bytes of a stream behind the STREAM_INFO at their start. Bytes that
// do not start with one do not change. Returns the bytes added, and where.
struct HostRecords {
	size_t at = 0;
	std::string bytes;
};
HostRecords host_records(const char *stream, size_t size, std::string_view lines);

} // namespace grtrace
