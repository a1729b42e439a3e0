// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"
#include "lib/text/words_of.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Parses the text of grtrace's debugfs views. Nothing here opens a file.
namespace grtrace {

using NamedText = std::pair<std::string, std::string>;

// Rows below a header line, as in `rings`. Every row has as many columns as the header.
struct CsvTable {
	std::vector<std::string> header;
	std::vector<std::vector<std::string>> rows;

	// Finds the place of a column in the rows.
	Status find(std::string_view name, size_t *place) const;
};

// One line of `pc_stats`; counts are per session, and bytes are the bytes of its
// packets.
struct CpuCounts {
	unsigned int cpu = 0;
	uint64_t offered = 0;
	uint64_t written = 0;
	uint64_t notes = 0;
	uint64_t lost = 0;
	uint64_t lost_notes = 0;
	uint64_t bytes = 0;
};

// Reads a decimal number that fills the whole text; returns false otherwise.
bool parse_number(std::string_view text, uint64_t *number);

// Reads lines of a name, @separator and a value, as in `stats` and `config`.
std::vector<NamedText> parse_named(std::string_view text, char separator);

// Returns the value of a name, or nullptr.
const std::string *find_named(const std::vector<NamedText> &named, std::string_view name);

// Returns the number of a name, or 0, because a kernel without the counter counts nothing.
uint64_t named_number(const std::vector<NamedText> &named, std::string_view name);

Status parse_csv(std::string_view text, CsvTable *table);

// Reads `pc_stats` by the names in its header, because columns may be added or moved.
Status parse_cpu_stats(std::string_view text, std::vector<CpuCounts> *stats);

} // namespace grtrace
