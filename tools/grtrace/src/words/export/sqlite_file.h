// SPDX-License-Identifier: GPL-2.0
//
// SqliteFile: a database that is written once.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/text/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace grtrace {

// Written below a temporary name, in one transaction and without a journal: if it fails
// there is no database. An old file at the path stays until close() finds that everything
// is written. The first error stays and is returned by close(). SQLite needs some 40 MiB
// for pages and for sorting.
class SqliteFile {
public:
	SqliteFile() = default;
	~SqliteFile();
	SqliteFile(const SqliteFile &) = delete;
	SqliteFile &operator=(const SqliteFile &) = delete;

	Status create(const std::string &path);
	// Executes one or more statements without results.
	void run(const std::string &sql);
	bool failed() const { return !error_.empty(); }
	Status close();

private:
	friend class SqliteInsert;

	void note_error();
	void discard();

	sqlite3 *db_ = nullptr;
	std::string target_;
	std::string part_; // its temporary name
	std::string error_; // the first one; empty: none
};

// A prepared INSERT. Values are added from left to right; row() writes them.
class SqliteInsert {
public:
	// columns: number of columns of the table that are not generated.
	SqliteInsert(SqliteFile &file, const char *table, int columns);
	~SqliteInsert();
	SqliteInsert(const SqliteInsert &) = delete;
	SqliteInsert &operator=(const SqliteInsert &) = delete;

	// nullptr becomes NULL. SQLite has no unsigned numbers: 2^63 and more become
	// negative. Anything that is not UTF-8 becomes U+FFFD.
	template <typename... Values> SqliteInsert &add(const Values &...values)
	{
		(bind(values), ...);
		return *this;
	}
	// Writes the row and returns its id.
	int64_t row();

private:
	template <std::integral Number> void bind(Number value)
	{
		bind_number(static_cast<int64_t>(value));
	}
	void bind_number(int64_t value);
	void bind(std::nullptr_t);
	void bind(std::string_view value);

	SqliteFile &file_;
	sqlite3_stmt *statement_ = nullptr;
	int next_ = 1;
};

} // namespace grtrace
