// SPDX-License-Identifier: GPL-2.0
#include "words/export/sqlite_schema.h"

#include <gtest/gtest.h>

namespace grtrace {
namespace {

// The statement that begins with these words.
std::string statement(const std::string &begin)
{
	const std::string all = sqlite_tables();
	const size_t from = all.find(begin);

	if (from == all.npos)
		return {};
	return all.substr(from, all.find(";\n", from) - from);
}

// A column that is added to the table of columns is added to the database.
TEST(SqliteSchema, ViewsHaveAllColumns)
{
	const std::string events = statement("CREATE VIEW event_row");
	const std::string jobs = statement("CREATE VIEW job_row");

	for (const EventColumn &column : event_columns()) {
		const std::string name = column.name;

		EXPECT_EQ(events.find('"' + name + '"') != events.npos, name != "capture") << name;
	}
	for (const JobColumn &column : job_columns())
		EXPECT_NE(jobs.find('"' + std::string(column.name) + '"'), jobs.npos)
			<< column.name;
}

TEST(SqliteSchema, TablesHaveWhatIsStored)
{
	const std::string events = statement("CREATE TABLE event (");

	for (const EventColumn *column : sqlite_event_columns())
		EXPECT_NE(events.find(fmt::format("\"{}\" ", column->name)), events.npos);
	// Said once, in a table of names.
	EXPECT_EQ(events.find("ring_name"), events.npos);
	EXPECT_NE(statement("CREATE TABLE job (").find("t_exec INTEGER GENERATED"),
		  std::string::npos);
}

} // namespace
} // namespace grtrace
