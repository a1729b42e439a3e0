// SPDX-License-Identifier: GPL-2.0
#include "words/export/fleet_schema.h"

#include <algorithm>

#include <fmt/format.h>

#include "lib/text/print_to.h"
#include "words/export/fleet_table.h"

namespace grtrace {

namespace {

using Rows = ExportOptions::Rows;

const char *table_name(Rows rows)
{
	return rows == Rows::captures ? "grtrace_captures" : "grtrace_jobs";
}

std::string described(const FleetField &field)
{
	return field.unit.empty() ? std::string(field.help) :
				    fmt::format("{}, {}", field.help, field.unit);
}

// The types of an engine. Numbers of 64 bits without a sign are what a capture can have.
struct Types {
	const char *text, *number, *negative;
};

const char *type_in(const Types &types, const FleetField &field)
{
	return field.type == "text"           ? types.text :
	       field.traits & may_be_negative ? types.negative :
						types.number;
}

std::string quoted(std::string text)
{
	for (size_t at = 0; (at = text.find('\'', at)) != text.npos; at += 2)
		text.insert(at, "'");
	return text;
}

std::string clickhouse(Rows rows)
{
	static constexpr Types types = {"LowCardinality(String)", "UInt64", "Int64"};
	const char *before = "";
	std::string text = fmt::format("CREATE TABLE IF NOT EXISTS {}\n(\n", table_name(rows));

	for (const FleetField &field : fleet_fields(rows)) {
		const std::string type = type_in(types, field);

		text += fmt::format("{}    `{}` {} COMMENT '{}'", before, field.name,
				    field.traits & may_lack ? "Nullable(" + type + ")" : type,
				    quoted(described(field)));
		before = ",\n";
	}
	return text + fmt::format("\n)\nENGINE = MergeTree\n"
				  "PARTITION BY toYYYYMM(toDate(intDiv(ifNull(capture_start, 0), "
				  "1000000000)))\n"
				  "ORDER BY (host, {}session);\n",
				  rows == Rows::captures ? "" : "dev, ring, ");
}

std::string duckdb(Rows rows)
{
	static constexpr Types types = {"VARCHAR", "UBIGINT", "BIGINT"};
	std::string text = fmt::format("CREATE TABLE IF NOT EXISTS {} (\n", table_name(rows));
	const std::vector<FleetField> fields = fleet_fields(rows);

	for (const FleetField &field : fields)
		text += fmt::format("    \"{}\" {}{}{} -- {}\n", field.name, type_in(types, field),
				    field.traits & may_lack ? "" : " NOT NULL",
				    &field == &fields.back() ? "" : ",", described(field));
	return text + ");\n";
}

void append_member(fmt::memory_buffer &out, const char *before, const char *key,
		   std::string_view value)
{
	print_to(out, "{}\"{}\":", before, key);
	append_json_text(out, value);
}

// How a value is written in the rows of JSON: ids are strings, because readers round numbers.
std::string json(Rows rows)
{
	static constexpr Types types = {"text", "uint64", "int64"};
	const char *before = "\n{";
	fmt::memory_buffer out;

	append_member(out, "{", "table", table_name(rows));
	print_to(out, ",\"columns\":[");
	for (const FleetField &field : fleet_fields(rows)) {
		append_member(out, before, "name", field.name);
		append_member(out, ",", "type", type_in(types, field));
		append_member(out, ",", "json", field.type == "number" ? "number" : "string");
		append_member(out, ",", "unit", field.unit);
		append_member(out, ",", "help", field.help);
		print_to(out, ",\"null\":{}}}", (field.traits & may_lack) != 0);
		before = ",\n{";
	}
	return fmt::to_string(out) + "\n]}\n";
}

struct Form {
	std::string_view name;
	std::string (*make)(Rows rows);
};
constexpr Form forms[] = {{"json", json}, {"clickhouse", clickhouse}, {"duckdb", duckdb}};

} // namespace

bool is_schema_form(std::string_view form)
{
	return std::ranges::find(forms, form, &Form::name) != std::end(forms);
}

std::string fleet_schema(std::string_view form, Rows rows)
{
	const Form *found = std::ranges::find(forms, form, &Form::name);

	return found == std::end(forms) ? std::string() : found->make(rows);
}

} // namespace grtrace
