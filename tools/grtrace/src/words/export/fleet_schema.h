// SPDX-License-Identifier: GPL-2.0
//
// fleet_schema: describes the rows of --fleet to the engines that load them.
#pragma once

#include <string>
#include <string_view>

#include "words/export/export_options.h"

namespace grtrace {

// json, clickhouse or duckdb.
bool is_schema_form(std::string_view form);

// Returns an object of JSON, or a statement that creates the table.
std::string fleet_schema(std::string_view form, ExportOptions::Rows rows);

} // namespace grtrace
