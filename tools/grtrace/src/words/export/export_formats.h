// SPDX-License-Identifier: GPL-2.0
//
// export_formats: the formats of grtrace export, in one table.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

struct ExportFormat {
	const char *name;
	const char *help;
	bool to_stdout;
	bool directory; // not a file
	bool has_rows; // --rows chooses
	std::unique_ptr<Exporter> (*make)(const ExportOptions &options);
};

// nullptr: there is none of this name.
const ExportFormat *find_export_format(std::string_view name);

// With commas between them.
std::string export_format_names();

// The table as text for --help.
std::string describe_export_formats();

} // namespace grtrace
