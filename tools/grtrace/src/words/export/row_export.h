// SPDX-License-Identifier: GPL-2.0
//
// row_export: exports captures as lines of CSV or JSON.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// Writes one table with a header line: the columns of grparse --csv, or those of grtrace
// report --csv.
std::unique_ptr<Exporter> make_csv_export(const ExportOptions &options);

// Writes JSON Lines. The key "row" is the kind of a line: capture, event, job, gap, ring or
// end.
std::unique_ptr<Exporter> make_json_export(const ExportOptions &options);

} // namespace grtrace
