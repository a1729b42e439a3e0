// SPDX-License-Identifier: GPL-2.0
#include "words/export/export_formats.h"

#include <fmt/format.h>

#include "words/export/ctf_export.h"
#include "words/export/perfetto_export.h"
#include "words/export/row_export.h"
#include "words/export/sqlite_export.h"
#include "words/export/trace_text_export.h"

namespace grtrace {

static const ExportFormat formats[] = {
	{"sqlite", "a database for sqlite3", false, false, false, make_sqlite_export},
	{"csv", "a line for each event (as grparse --csv) or job (as report --csv)", true, false,
	 true, make_csv_export},
	{"json", "one JSON object a line: captures, events, jobs and rings", true, false, true,
	 make_json_export},
	{"ctf", "Common Trace Format 1.8, a directory for babeltrace2", false, true, false,
	 make_ctf_export},
	{"perfetto", "a trace for ui.perfetto.dev and trace_processor", true, false, false,
	 make_perfetto_export},
	{"text", "lines of ftrace, with the events of the DRM scheduler since 6.17", true, false,
	 false, make_text_export},
	{"text-old", "the same with the events before", true, false, false, make_old_text_export},
};

const ExportFormat *find_export_format(std::string_view name)
{
	for (const ExportFormat &format : formats)
		if (name == format.name)
			return &format;
	return nullptr;
}

std::string export_format_names()
{
	std::string names;

	for (const ExportFormat &format : formats) {
		if (!names.empty())
			names += ", ";
		names += format.name;
	}
	return names;
}

std::string describe_export_formats()
{
	std::string text;

	for (const ExportFormat &format : formats)
		text += fmt::format("  {:<9} {}\n", format.name, format.help);
	return text;
}

} // namespace grtrace
