// SPDX-License-Identifier: GPL-2.0
#include "words/export/fleet_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "format/boot_id.h"
#include "format/vocabulary.h"
#include "lib/options/version.h"
#include "lib/text/print_to.h"
#include "lib/text/utf8_text.h"

namespace grtrace {

std::string fleet_text(std::string_view bytes)
{
	std::string text;

	for (size_t at = 0; at < bytes.size();) {
		const size_t length = bytes[at] ? utf8_length(bytes.substr(at)) : 0;

		if (length)
			text += bytes.substr(at, length);
		else
			text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[at]));
		at += length ? length : 1;
	}
	return text;
}

namespace {

// A session's time on the wall clock, where that is known and fits into 63 bits.
Cell wall_cell(const Session &session, uint64_t ts)
{
	const uint64_t wall = ts - session.start_ts + session.start_real;

	return !session.start_real || ts == Job::none || wall > INT64_MAX ? Cell() : Cell(wall);
}

template <auto time> Cell wall_cell(JobRow &row)
{
	return wall_cell(row.session, row.job.*time);
}

std::string boot_text(const Session &session)
{
	std::string text;

	if (std::ranges::all_of(session.boot_id, [](uint8_t byte) { return !byte; }))
		return text;
	for (size_t i = 0; i < sizeof(session.boot_id); i++)
		text += fmt::format("{}{:02x}", i >= 4 && i <= 10 && i % 2 == 0 ? "-" : "",
				    session.boot_id[i]);
	return text;
}

std::string tags_text(const Session &session)
{
	fmt::memory_buffer out;
	const char *before = "{";

	for (const auto &[key, value] : session.host.tags) {
		print_to(out, "{}", before);
		append_json_text(out, fleet_text(key));
		out.push_back(':');
		append_json_text(out, fleet_text(value));
		before = ",";
	}
	return session.host.tags.empty() ? "{}" : fmt::to_string(out) + "}";
}

template <std::string (*text)(const Session &)> Cell made_cell(CaptureRow &row)
{
	row.made = text(row.capture.session());
	return row.made;
}

template <auto count> Cell stats_cell(CaptureRow &row)
{
	return row.capture.stats().*count;
}

const CaptureColumn head[] = {
	{"host", "text", "name of the machine, empty: not recorded",
	 made_cell<[](const Session &s) { return fleet_text(s.host.host); }>},
	{"boot", "text", "its boot, as in /proc/sys/kernel/random/boot_id", made_cell<boot_text>},
	{"session", "id", "session that recorded it",
	 [](CaptureRow &r) { return Cell(r.capture.session().id); }},
	{"release", "text", "release of the kernel",
	 [](CaptureRow &r) { return Cell(r.capture.session().release); }},
	{"capture_start", "number", "start of the session, wall clock",
	 [](CaptureRow &r) { return wall_cell(r.capture.session(), r.capture.session().start_ts); },
	 "ns", may_lack},
	{"tool", "text", "version of grtrace that exported it",
	 [](CaptureRow &) { return Cell(tools_version); }},
	{"tags", "text", "tags of record --tag, as an object of JSON", made_cell<tags_text>},
	{"capture", "text", "name of the capture",
	 [](CaptureRow &r) { return Cell(r.capture.name()); }},
};

const CaptureColumn of_captures[] = {
	{"clock", "text", "clock of its time stamps",
	 [](CaptureRow &r) { return Cell(clock_name(r.capture.session().clock)); }},
	{"start_ts", "number", "start of the session on that clock",
	 [](CaptureRow &r) { return Cell(r.capture.session().start_ts); }, "ns"},
	{"jobs", "number", "rows of jobs", [](CaptureRow &r) { return Cell(r.jobs); }},
	{"records", "number", "events and notes read", stats_cell<&StreamStats::records>},
	{"events", "number", "events read", stats_cell<&StreamStats::events>},
	{"lost_events", "number", "events that a LOST reports",
	 stats_cell<&StreamStats::lost_events>},
	{"lost_notes", "number", "notes that a LOST reports", stats_cell<&StreamStats::lost_notes>},
	{"missing", "number", "records overwritten, cut out, or in no file",
	 stats_cell<&StreamStats::missing>},
	{"skipped", "number", "records of unknown type", stats_cell<&StreamStats::skipped_records>},
	{"damaged_bytes", "number", "bytes that are no records",
	 stats_cell<&StreamStats::damaged_bytes>},
};

const JobColumn job_tail[] = {
	{"ring_id", "number", "id of the ring, by which the capture knows it",
	 [](JobRow &r) { return Cell(r.job.ring); }},
	{"submit_wall", "number", "submit_ts, wall clock", wall_cell<&Job::submit_ts>, "ns",
	 may_lack},
	{"commit_wall", "number", "commit_ts, wall clock", wall_cell<&Job::commit_ts>, "ns",
	 may_lack},
	{"start_wall", "number", "start_ts, wall clock", wall_cell<&Job::start_ts>, "ns", may_lack},
	{"end_wall", "number", "end_ts, wall clock", wall_cell<&Job::end_ts>, "ns", may_lack},
	{"complete_wall", "number", "complete_ts, wall clock", wall_cell<&Job::complete_ts>, "ns",
	 may_lack},
	{"blocked_wall", "number", "blocked_ts, wall clock", wall_cell<&Job::blocked_ts>, "ns",
	 may_lack},
	{"pick_wall", "number", "pick_ts, wall clock", wall_cell<&Job::pick_ts>, "ns", may_lack},
	{"last_commit_wall", "number", "last_commit_ts, wall clock",
	 wall_cell<&Job::last_commit_ts>, "ns", may_lack},
};

template <typename Row>
void add_fields(std::vector<FleetField> &fields, std::span<const Column<Row>> columns)
{
	for (const Column<Row> &column : columns)
		fields.push_back(
			{column.name, column.type, column.unit, column.help, column.traits});
}

} // namespace

std::span<const CaptureColumn> fleet_head()
{
	return head;
}

std::span<const CaptureColumn> capture_columns()
{
	return of_captures;
}

std::span<const JobColumn> fleet_job_tail()
{
	return job_tail;
}

std::vector<FleetField> fleet_fields(ExportOptions::Rows rows)
{
	std::vector<FleetField> fields;

	add_fields(fields, fleet_head());
	if (rows == ExportOptions::Rows::captures) {
		add_fields(fields, capture_columns());
		return fields;
	}
	add_fields(fields, job_columns());
	add_fields(fields, fleet_job_tail());
	return fields;
}

} // namespace grtrace
