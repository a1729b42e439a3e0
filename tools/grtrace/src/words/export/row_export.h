// SPDX-License-Identifier: GPL-2.0
//
// row_export: captures as lines of CSV or JSON.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// One table with a line of names: the columns of grparse --csv, or those of
// grtrace report --csv.
std::unique_ptr<Exporter> make_csv_export(const ExportOptions &options);

// JSON Lines. The key "row" says what a line is: capture, event, job, gap,
// ring or end.
std::unique_ptr<Exporter> make_json_export(const ExportOptions &options);

} // namespace grtrace
