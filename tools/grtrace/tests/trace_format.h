// SPDX-License-Identifier: GPL-2.0
//
// The text that tracefs has for a kind of events, in the file "format".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace grtrace {

// Type, flags and thread: what every event begins with.
constexpr size_t trace_common_bytes = 8;

struct TraceField {
	std::string type; // ignored for text, which follows the fields
	std::string name;
	size_t offset;
	size_t size;
	bool is_text = false;
};

inline std::string trace_format(std::string_view name, size_t id,
				const std::vector<TraceField> &fields)
{
	std::string text = fmt::format("name: {}\nID: {}\nformat:\n"
				       "\tfield:unsigned short common_type;\toffset:0;\t"
				       "size:2;\tsigned:0;\n"
				       "\tfield:unsigned char common_flags;\toffset:2;\t"
				       "size:1;\tsigned:0;\n"
				       "\tfield:unsigned char common_preempt_count;\t"
				       "offset:3;\tsize:1;\tsigned:0;\n"
				       "\tfield:int common_pid;\toffset:4;\tsize:4;\t"
				       "signed:1;\n\n",
				       name, id);

	for (const TraceField &field : fields)
		text += fmt::format("\tfield:{} {};\toffset:{};\tsize:{};\tsigned:0;\n",
				    field.is_text ? "__data_loc char[]" : field.type, field.name,
				    field.offset, field.size);
	return text + "\nprint fmt: \"\"\n";
}

} // namespace grtrace
