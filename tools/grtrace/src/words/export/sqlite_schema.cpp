// SPDX-License-Identifier: GPL-2.0
#include "words/export/sqlite_schema.h"

#include <iterator>

#include <fmt/format.h>

#include "format/vocabulary.h"
#include "words/rows/flag_names.h"

namespace grtrace {

namespace {

// A column that is not stored in its table.
struct Elsewhere {
	const char *name;
	enum class Where {
		own, // the table has its own, the view has it first
		view, // the view works it out or finds it
		generated, // by the table, from others of the row
	} where;
	const char *sql; // for the view, or to generate it
	const char *side = nullptr; // the table that has it
};
using Where = Elsewhere::Where;

const Elsewhere event_elsewhere[] = {
	{"capture", Where::own, nullptr},
	{"type", Where::view, "coalesce(record_type.name, CAST(event.type AS TEXT))"},
	{"letter", Where::view, "record_type.letter"},
	{"tgid", Where::view, "task.tgid"},
	{"comm", Where::view, "task.comm"},
	{"ring_name", Where::view, "ring.name"},
	{"dev", Where::view, "device.name"},
	{"engine", Where::view, "ring.engine"},
	{"driver", Where::view, "coalesce(device.driver, ioctl.driver, fence_name.driver)",
	 "ioctl"},
	{"time_source", Where::view, "time_source.name"},
	{"where", Where::view, "place.name"},
	{"kind_name", Where::view,
	 "CASE WHEN event.kind IS NOT NULL THEN coalesce(error_kind.name, '?') END"},
	{"text", Where::view, "note.text", "note"},
	{"sample", Where::view, "note.sample", "note"},
	{"previous", Where::view, "note.previous", "note"},
	{"events", Where::view, "loss.events"},
	{"notes", Where::view, "loss.notes"},
	{"first_ts", Where::view, "CASE WHEN loss.event IS NOT NULL THEN loss.first_ts END"},
	{"last_ts", Where::view, "loss.last_ts"},
	{"limited", Where::view, "loss.limited"},
	{"pressure", Where::view, "loss.pressure"},
	{"time", Where::view, "event.ts - capture.start_ts"},
	{"elapsed", Where::view, "NULL"}, // as without grparse -t
	{"ioctl", Where::view, "ioctl.ioctl", "ioctl"},
	{"duration", Where::view, "ioctl.duration", "ioctl"},
	{"result", Where::view, "ioctl.result", "ioctl"},
	{"handles", Where::view, "ioctl.handles", "ioctl"},
	// A TASK has given its cgroup to its row in the table of tasks.
	{"cgroup", Where::view, "iif(record_type.name = 'task', task.cgroup, ioctl.cgroup)",
	 "ioctl"},
	{"minor", Where::view, "ioctl.minor", "ioctl"},
	{"cmd", Where::view, "ioctl.cmd", "ioctl"},
	{"state", Where::view, "queue.state", "queue"},
	{"reason", Where::view, "queue.reason", "queue"},
	{"timeline", Where::view, "fence_name.timeline"},
	{"guilty_pid", Where::view, "error.guilty_pid", "error"},
	{"guilty_comm", Where::view, "error.guilty_comm", "error"},
	{"error_text", Where::view, "error.error_text", "error"},
};

const Elsewhere job_elsewhere[] = {
	{"dev", Where::view, "device.name"},
	{"ring", Where::view, "coalesce(ring.name, CAST(job.ring AS TEXT))"},
	{"engine", Where::view, "ring.engine"},
	{"tgid", Where::view, "task.tgid"},
	{"comm", Where::view, "task.comm"},
	{"t_submit_host", Where::generated, "commit_ts - submit_ts"},
	{"t_queue", Where::generated, "start_ts - submit_ts"},
	{"t_exec", Where::generated, "end_ts - start_ts"},
	{"t_complete", Where::generated, "complete_ts - end_ts"},
};

const Elsewhere *find(std::span<const Elsewhere> table, std::string_view name)
{
	for (const Elsewhere &column : table)
		if (name == column.name)
			return &column;
	return nullptr;
}

const char *sql_type(std::string_view type)
{
	return type == "text" ? "TEXT" : "INTEGER";
}

template <typename Row>
std::vector<const Column<Row> *> stored(std::span<const Column<Row>> columns,
					std::span<const Elsewhere> elsewhere)
{
	std::vector<const Column<Row> *> found;

	for (const Column<Row> &column : columns)
		if (!find(elsewhere, column.name))
			found.push_back(&column);
	return found;
}

// A time from one step to another; steps in the wrong order have none.
std::string generated(const Elsewhere &column)
{
	return fmt::format(",\n\t{} INTEGER GENERATED ALWAYS AS (iif({} >= 0, {}, NULL)) VIRTUAL",
			   column.name, column.sql, column.sql);
}

// CREATE TABLE name, with the table's own columns first.
template <typename Row>
std::string table_text(const char *name, const char *own, std::span<const Column<Row>> columns,
		       std::span<const Elsewhere> elsewhere)
{
	std::string text = fmt::format("CREATE TABLE {} (\n\tid INTEGER PRIMARY KEY{}", name, own);

	for (const Column<Row> *column : stored(columns, elsewhere))
		text += fmt::format(",\n\t\"{}\" {}", column->name, sql_type(column->type));
	for (const Elsewhere &column : elsewhere)
		if (column.where == Where::generated)
			text += generated(column);
	return text + "\n);\n";
}

std::string side_table_text(const char *table)
{
	std::string text =
		fmt::format("CREATE TABLE {} (event INTEGER PRIMARY KEY REFERENCES event", table);

	for (const EventColumn *column : sqlite_side_columns(table))
		text += fmt::format(", \"{}\" {}", column->name, sql_type(column->type));
	return text + ");\n";
}

// All columns of the table for other programs, in their order.
template <typename Row>
std::string view_text(const char *name, std::span<const Column<Row>> columns,
		      std::span<const Elsewhere> elsewhere)
{
	std::string text = fmt::format("CREATE VIEW {0}_row AS SELECT {0}.id,\n"
				       "\tcapture.name AS capture",
				       name);

	for (const Column<Row> &column : columns) {
		const Elsewhere *other = find(elsewhere, column.name);

		if (!other || other->where == Where::generated)
			text += fmt::format(",\n\t{}.\"{}\"", name, column.name);
		else if (other->sql)
			text += fmt::format(",\n\t{} AS \"{}\"", other->sql, column.name);
	}
	return text +
	       fmt::format("\nFROM {0}\n"
			   "JOIN capture ON capture.id = {0}.capture\n"
			   "LEFT JOIN task ON task.id = {0}.task\n"
			   "LEFT JOIN ring ON ring.capture = {0}.capture AND ring.ring = {0}.ring\n"
			   "LEFT JOIN device ON device.id = ring.device\n",
			   name);
}

// The rows of those tables that are neither made from others nor tables of names.
const char *const fixed_tables = R"(
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE capture (
	id INTEGER PRIMARY KEY, name TEXT, session INTEGER, clock TEXT,
	start_ts INTEGER, start_real INTEGER, release TEXT, features INTEGER,
	cpus INTEGER, first_ts INTEGER, last_ts INTEGER, records INTEGER,
	lost_events INTEGER, lost_notes INTEGER, missing INTEGER,
	skipped INTEGER, damaged_bytes INTEGER
);
CREATE TABLE device (
	id INTEGER PRIMARY KEY, capture INTEGER REFERENCES capture,
	name TEXT, driver TEXT, model TEXT
);
CREATE TABLE ring (
	capture INTEGER REFERENCES capture, ring INTEGER,
	device INTEGER REFERENCES device, name TEXT, engine TEXT,
	flags INTEGER, timeout_ms INTEGER,
	PRIMARY KEY (capture, ring)
) WITHOUT ROWID;
CREATE TABLE task (
	id INTEGER PRIMARY KEY, capture INTEGER REFERENCES capture,
	pid INTEGER, tgid INTEGER, comm TEXT, cgroup INTEGER
);
CREATE TABLE fence_name (
	capture INTEGER REFERENCES capture, ctx INTEGER, driver TEXT,
	timeline TEXT, PRIMARY KEY (capture, ctx)
) WITHOUT ROWID;
CREATE TABLE loss (
	id INTEGER PRIMARY KEY, capture INTEGER REFERENCES capture,
	event INTEGER REFERENCES event, cpu INTEGER, first_ts INTEGER,
	last_ts INTEGER, events INTEGER, notes INTEGER, limited INTEGER,
	pressure INTEGER, records INTEGER
);
CREATE TABLE stop (
	capture INTEGER REFERENCES capture, cpu INTEGER, ts INTEGER,
	gseq INTEGER, cseq INTEGER, lost INTEGER,
	PRIMARY KEY (capture, cpu)
) WITHOUT ROWID;
CREATE TABLE dependency (
	id INTEGER PRIMARY KEY, capture INTEGER REFERENCES capture,
	ctx INTEGER, ring INTEGER, seqno INTEGER, fence_ctx INTEGER,
	fence_seqno INTEGER, on_ctx INTEGER, on_ring INTEGER, on_seqno INTEGER
);
CREATE TABLE wait (
	id INTEGER PRIMARY KEY, capture INTEGER REFERENCES capture,
	who TEXT, pid INTEGER, task INTEGER REFERENCES task, ctx INTEGER,
	ring INTEGER, seqno INTEGER, fence_ctx INTEGER, fence_seqno INTEGER,
	from_ts INTEGER, to_ts INTEGER, result INTEGER,
	ns INTEGER GENERATED ALWAYS AS
		(iif(to_ts >= from_ts, to_ts - from_ts, NULL)) VIRTUAL
);
)";

// Numbers of the records and their names.
struct NameTable {
	const char *name;
	std::string rows;

	void add(uint32_t number, const char *what)
	{
		rows += fmt::format("{}({}, '{}')", rows.empty() ? "" : ", ", number, what);
	}
	std::string sql() const
	{
		return fmt::format("CREATE TABLE {} (number INTEGER PRIMARY KEY, name TEXT);\n"
				   "INSERT INTO {} VALUES {};\n",
				   name, name, rows);
	}
};

std::string name_tables()
{
	NameTable time_sources{"time_source", {}};
	NameTable places{"place", {}};
	NameTable kinds{"error_kind", {}};
	std::string types;

	for (uint16_t i = 0; i <= GRTRACE_TIME_MASK; i++)
		time_sources.add(i, time_source_name(i));
	for (uint16_t i = 0; i <= GRTRACE_IN_MASK; i += GRTRACE_IN_SOFTIRQ)
		if (where_name(i))
			places.add(i, where_name(i));
	for (uint32_t i = 0; i <= GRTRACE_ERROR_WEDGED; i++)
		kinds.add(i, error_kind_name(i));
	for_each_record_kind([&](const RecordKind &kind) {
		types += fmt::format("{}({}, '{}', '{}')", types.empty() ? "" : ", ", kind.type,
				     kind.name, kind.letter);
	});
	return time_sources.sql() + places.sql() + kinds.sql() +
	       "CREATE TABLE record_type (type INTEGER PRIMARY KEY, name TEXT, letter "
	       "TEXT);\nINSERT INTO record_type VALUES " +
	       types + ";\n";
}

} // namespace

std::vector<const EventColumn *> sqlite_event_columns()
{
	return stored(event_columns(), event_elsewhere);
}

std::vector<const JobColumn *> sqlite_job_columns()
{
	return stored(job_columns(), job_elsewhere);
}

std::vector<const EventColumn *> sqlite_side_columns(std::string_view table)
{
	std::vector<const EventColumn *> found;

	for (const EventColumn &column : event_columns()) {
		const Elsewhere *other = find(event_elsewhere, column.name);

		if (other && other->side && table == other->side)
			found.push_back(&column);
	}
	return found;
}

std::string sqlite_tables()
{
	std::string text = fixed_tables + name_tables();

	text += side_table_text("note") + side_table_text("ioctl") + side_table_text("queue") +
		side_table_text("error");
	text += table_text("event",
			   ",\n\tcapture INTEGER REFERENCES capture,\n\ttype INTEGER REFERENCES "
			   "record_type,\n\ttask INTEGER REFERENCES task",
			   event_columns(), event_elsewhere);
	text += table_text("job",
			   ",\n\tcapture INTEGER REFERENCES capture,\n\tring INTEGER,\n\ttask "
			   "INTEGER REFERENCES task",
			   job_columns(), job_elsewhere);
	text += view_text("event", event_columns(), event_elsewhere);
	text += fmt::format("LEFT JOIN record_type ON record_type.type = event.type\n"
			    "LEFT JOIN time_source ON time_source.number = event.flags & {}\n"
			    "LEFT JOIN place ON place.number = event.flags & {}\n"
			    "LEFT JOIN error_kind ON error_kind.number = event.kind\n"
			    "LEFT JOIN note ON note.event = event.id\n"
			    "LEFT JOIN ioctl ON ioctl.event = event.id\n"
			    "LEFT JOIN queue ON queue.event = event.id\n"
			    "LEFT JOIN error ON error.event = event.id\n"
			    "LEFT JOIN fence_name ON event.type = {} AND\n"
			    "\tfence_name.capture = event.capture AND fence_name.ctx = event.ctx\n"
			    "LEFT JOIN loss ON loss.event = event.id;\n",
			    GRTRACE_TIME_MASK, GRTRACE_IN_MASK, uint32_t(GRTRACE_FENCE_NAME));
	text += view_text("job", job_columns(), job_elsewhere) + ";\n";
	return text;
}

std::string sqlite_indexes()
{
	return "CREATE INDEX event_ts ON event (ts);\n"
	       "CREATE INDEX event_job ON event (ctx, seqno);\n"
	       "CREATE INDEX job_key ON job (ctx, seqno);\n"
	       "CREATE INDEX job_submit ON job (submit_ts);\n"
	       "CREATE INDEX dependency_job ON dependency (ctx, seqno);\n"
	       "CREATE INDEX wait_job ON wait (ctx, seqno);\n"
	       "CREATE INDEX loss_event ON loss (event);\n"
	       "ANALYZE;\n";
}

} // namespace grtrace
