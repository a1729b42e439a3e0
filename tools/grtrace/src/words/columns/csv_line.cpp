// SPDX-License-Identifier: GPL-2.0
#include "words/columns/csv_line.h"

namespace grtrace {

static bool needs_quotes(char c)
{
	return c == ',' || c == '"' || c == '\n' || c == '\r';
}

void CsvLine::text(std::string_view value)
{
	if (value != null_ && std::ranges::none_of(value, needs_quotes))
		return put(value);

	put("\"");
	for (char c : value) {
		if (c == '"')
			out_.push_back('"');
		out_.push_back(c);
	}
	out_.push_back('"');
}

} // namespace grtrace
