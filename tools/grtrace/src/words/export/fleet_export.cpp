// SPDX-License-Identifier: GPL-2.0
//
// The cells that are the same in all rows of a capture are printed once and copied.
#include "words/export/fleet_export.h"

#include "words/export/file_exporter.h"
#include "words/export/fleet_table.h"

namespace grtrace {

namespace {

using Rows = ExportOptions::Rows;

// Adds columns to a line of either kind.
template <typename Row>
void add_cells(CsvLine &line, std::span<const Column<Row>> columns, Row &row)
{
	for (const Column<Row> &column : columns)
		visit_fleet_cell(column, row, CsvCell{line});
}

template <typename Row>
void add_cells(JsonLine &line, std::span<const Column<Row>> columns, Row &row)
{
	for (const Column<Row> &column : columns)
		visit_fleet_cell(column, row, JsonCell{line, column.name, column.is_quoted()});
}

CsvLine new_line(fmt::memory_buffer &out, const ExportOptions &options, CsvLine *)
{
	return CsvLine(out, options.null);
}

JsonLine new_line(fmt::memory_buffer &out, const ExportOptions &, JsonLine *)
{
	return JsonLine(out);
}

// The members of an object are what follows its brace.
template <typename Line> constexpr size_t opening = std::is_same_v<Line, JsonLine> ? 1 : 0;

template <typename Line> class FleetCapture : public CaptureExport {
public:
	FleetCapture(OutputFile &out, const ExportOptions &options, Capture &capture)
		: out_(out), options_(options), capture_{capture}
	{
	}

	void job(const Job &job, JobLabel label) override
	{
		capture_.jobs++;
		if (options_.rows == Rows::captures)
			return;
		JobRow row = {job, label, capture_.capture.session()};
		Line line = begin();
		add_cells(line, job_columns(), row);
		add_cells(line, fleet_job_tail(), row);
		end(line);
	}
	void finish() override
	{
		if (options_.rows != Rows::captures)
			return;
		Line line = begin();
		add_cells(line, capture_columns(), capture_);
		end(line);
	}

private:
	Line begin()
	{
		if (head_.empty()) {
			fmt::memory_buffer made;
			Line line = new_line(made, options_, static_cast<Line *>(nullptr));

			add_cells(line, fleet_head(), capture_);
			head_.assign(made.begin() + opening<Line>, made.end());
		}
		Line line = new_line(out_.text(), options_, static_cast<Line *>(nullptr));
		line.made(head_);
		return line;
	}
	void end(Line &line)
	{
		line.end();
		out_.drain();
	}

	OutputFile &out_;
	const ExportOptions &options_;
	CaptureRow capture_;
	std::string head_; // once there is a row
};

class FleetExporter : public FileExporter {
public:
	FleetExporter(const ExportOptions &options, bool json) : options_(options), json_(json) {}

	Status open(const std::string &path) override
	{
		if (!json_)
			print_header();
		return FileExporter::open(path);
	}
	std::unique_ptr<CaptureExport> add(uint32_t, Capture &capture) override
	{
		if (json_)
			return std::make_unique<FleetCapture<JsonLine>>(out_, options_, capture);
		return std::make_unique<FleetCapture<CsvLine>>(out_, options_, capture);
	}

private:
	void print_header()
	{
		CsvLine line(out_.text());

		for (const FleetField &field : fleet_fields(options_.rows))
			line.text(field.name);
		line.end();
	}

	const ExportOptions &options_;
	const bool json_;
};

} // namespace

std::unique_ptr<Exporter> make_fleet_export(const ExportOptions &options, bool json)
{
	return std::make_unique<FleetExporter>(options, json);
}

} // namespace grtrace
