// SPDX-License-Identifier: GPL-2.0
//
// fleet_export: writes rows of jobs or captures for an engine that holds the rows of many
// machines.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// Writes one table: CSV with a header line, or JSON Lines with the same columns as keys.
// options must outlive it.
std::unique_ptr<Exporter> make_fleet_export(const ExportOptions &options, bool json);

} // namespace grtrace
