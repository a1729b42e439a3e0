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
	bool directory; // the output is a directory, not a file
	bool has_rows; // --rows applies
	std::unique_ptr<Exporter> (*make)(const ExportOptions &options);
};

// Returns nullptr if there is no format of this name.
const ExportFormat *find_export_format(std::string_view name);

// Returns the names, separated by commas.
std::string export_format_names();

// Returns the table as text for --help.
std::string describe_export_formats();

} // namespace grtrace
