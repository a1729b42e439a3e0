// SPDX-License-Identifier: GPL-2.0
//
// Columns are found by the names in the header, because a kernel may add or move some. A
// missing count must not be read as 0, so it is an error.
#include "drive/control/views.h"

#include <fmt/format.h>

#include <algorithm>

namespace grtrace {

bool parse_number(std::string_view text, uint64_t *number)
{
	return whole_number(text, *number);
}

std::vector<NamedText> parse_named(std::string_view text, char separator)
{
	std::vector<NamedText> named;

	for (const std::string &line : split(text, '\n')) {
		const size_t middle = line.find(separator);

		if (middle != std::string::npos)
			named.emplace_back(line.substr(0, middle), line.substr(middle + 1));
	}
	return named;
}

const std::string *find_named(const std::vector<NamedText> &named, std::string_view name)
{
	const auto pair = std::ranges::find(named, name, &NamedText::first);

	return pair == named.end() ? nullptr : &pair->second;
}

uint64_t named_number(const std::vector<NamedText> &named, std::string_view name)
{
	const std::string *text = find_named(named, name);
	uint64_t number;

	return text && parse_number(*text, &number) ? number : 0;
}

Status parse_csv(std::string_view text, CsvTable *table)
{
	size_t number = 0;

	*table = {};
	for (const std::string &line : split(text, '\n')) {
		number++;
		if (line.empty())
			continue;
		std::vector<std::string> fields = split(line, ',');
		if (table->header.empty()) {
			table->header = std::move(fields);
			continue;
		}
		if (fields.size() != table->header.size())
			return Status::error("line {} has {} fields, the header has {}", number,
					     fields.size(), table->header.size());
		table->rows.push_back(std::move(fields));
	}
	if (table->header.empty())
		return Status::error("there is no header line");
	return Status();
}

Status CsvTable::find(std::string_view name, size_t *place) const
{
	*place = std::ranges::find(header, name) - header.begin();
	return *place < header.size() ? Status() : Status::error("no column {}", name);
}

namespace {

struct Column {
	const char *name;
	uint64_t CpuCounts::*field;
};

constexpr Column count_columns[] = {
	{"offered", &CpuCounts::offered},       {"written", &CpuCounts::written},
	{"notes", &CpuCounts::notes},           {"lost", &CpuCounts::lost},
	{"lost_notes", &CpuCounts::lost_notes}, {"bytes", &CpuCounts::bytes},
};

// Fills one number of every row; a missing count must not be read as 0.
Status fill_column(const CsvTable &table, const char *name, std::vector<uint64_t> *numbers)
{
	size_t place;
	uint64_t number;
	Status status = table.find(name, &place);

	numbers->clear();
	for (const std::vector<std::string> &row : table.rows) {
		if (!status.ok())
			break;
		if (!parse_number(row[place], &number))
			return Status::error("column {}: '{}' is not a number", name, row[place]);
		numbers->push_back(number);
	}
	return status;
}

} // namespace

Status parse_cpu_stats(std::string_view text, std::vector<CpuCounts> *stats)
{
	CsvTable table;
	Status status = parse_csv(text, &table);
	std::vector<uint64_t> numbers;

	if (status.ok())
		status = fill_column(table, "cpu", &numbers);
	if (!status.ok())
		return status;
	stats->assign(table.rows.size(), CpuCounts());
	for (size_t i = 0; i < numbers.size(); i++)
		(*stats)[i].cpu = static_cast<unsigned int>(numbers[i]);
	for (const Column &column : count_columns) {
		status = fill_column(table, column.name, &numbers);
		if (!status.ok())
			return status;
		for (size_t i = 0; i < numbers.size(); i++)
			(*stats)[i].*column.field = numbers[i];
	}
	return Status();
}

} // namespace grtrace
