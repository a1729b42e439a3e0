// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The text of grtrace's debugfs views, taken apart. Nothing here opens a file.
namespace grtrace {

using NamedText = std::pair<std::string, std::string>;

// Rows under a header line, as in `rings`. Every row is as wide as the header.
struct CsvTable {
	std::vector<std::string> header;
	std::vector<std::vector<std::string>> rows;

	// The place of a column in each row.
	Status find(std::string_view name, size_t *place) const;
};

// One line of `pc_stats`; counts are of the session, bytes are of its packets.
struct CpuCounts {
	unsigned int cpu = 0;
	uint64_t offered = 0;
	uint64_t written = 0;
	uint64_t notes = 0;
	uint64_t lost = 0;
	uint64_t lost_notes = 0;
	uint64_t bytes = 0;
};

std::vector<std::string> split(std::string_view text, char separator);

// A decimal number that fills the whole text, or false.
bool parse_number(std::string_view text, uint64_t *number);

// Lines of a name, @separator and a value: `stats` and `config`.
std::vector<NamedText> parse_named(std::string_view text, char separator);

// The value of a name, or nullptr.
const std::string *find_named(const std::vector<NamedText> &named, std::string_view name);

// The number a name has, or 0: a kernel that lacks the counter counts nothing.
uint64_t named_number(const std::vector<NamedText> &named, std::string_view name);

Status parse_csv(std::string_view text, CsvTable *table);

// `pc_stats`, by the names in its header: columns may be added or moved.
Status parse_cpu_stats(std::string_view text, std::vector<CpuCounts> *stats);

} // namespace grtrace
