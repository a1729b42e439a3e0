// SPDX-License-Identifier: GPL-2.0
#include "words/columns/csv_line.h"

namespace grtrace {

void CsvLine::text(std::string_view value)
{
	if (value != null_ && value.find_first_of(",\"\n\r") == value.npos)
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
