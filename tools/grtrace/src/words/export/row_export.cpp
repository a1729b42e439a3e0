// SPDX-License-Identifier: GPL-2.0
#include "words/export/row_export.h"

#include "format/vocabulary.h"
#include "words/export/file_exporter.h"
#include "words/export/fleet_export.h"
#include "words/export/slow_events.h"
#include "words/jobs/job_columns.h"
#include "words/rows/event_columns.h"

namespace grtrace {

namespace {

using Rows = ExportOptions::Rows;

// Lines go to the file as they come; memory is that of a block.
class RowCapture : public CaptureExport {
public:
	RowCapture(OutputFile &out, const ExportOptions &options, Capture &capture,
		   uint64_t &dropped)
		: out_(out), options_(options), rows_(options.rows), capture_(capture),
		  slow_(dropped)
	{
	}

protected:
	EventRow row_of(const Event &event)
	{
		return {event, capture_.session(), capture_.name(), Job::none};
	}

	// Where a row of this event goes.
	fmt::memory_buffer &place(const Event &event)
	{
		return options_.slow_only ? slow_.place(event, out_.text()) : out_.text();
	}
	// Events may be chosen whose job is not.
	void other_job(const Job &job, JobLabel label) override { settle(job, label); }
	void settle(const Job &job, JobLabel label)
	{
		if (options_.slow_only)
			slow_.settle(job, label, out_.text());
		out_.drain();
	}

	OutputFile &out_;
	const ExportOptions &options_;
	const Rows rows_;
	Capture &capture_;

private:
	SlowEvents slow_;
};

class CsvCapture : public RowCapture {
public:
	using RowCapture::RowCapture;

	void event(const Event &event) override
	{
		if (rows_ == Rows::jobs)
			return;
		EventRow row = row_of(event);
		print_csv(place(event), event_columns(), row, options_.null);
		out_.drain();
	}
	void job(const Job &job, JobLabel label) override
	{
		if (rows_ != Rows::jobs)
			return settle(job, label);
		JobRow row(job, label, capture_.session());
		print_csv(out_.text(), job_columns(), row, options_.null);
		out_.drain();
	}
};

// The same, with all other columns.
class JsonCapture : public RowCapture {
public:
	using RowCapture::RowCapture;

	void event(const Event &event) override;
	void gap(const Gap &gap) override;
	void job(const Job &job, JobLabel label) override;
	void finish() override;

private:
	JsonLine line(const char *row);
	void end(JsonLine &line);
	void tell_capture();
	void tell_rings();
	void tell_end();

	bool told_ = false; // of the capture
};

JsonLine JsonCapture::line(const char *row)
{
	if (!told_) {
		told_ = true;
		tell_capture();
	}

	JsonLine made(out_.text());
	made.text("row", row);
	return made;
}

void JsonCapture::end(JsonLine &line)
{
	line.end();
	out_.drain();
}

// With the first row: what a session says of itself stands before its events.
void JsonCapture::tell_capture()
{
	const Session &session = capture_.session();
	JsonLine made = line("capture");

	made.text("capture", capture_.name());
	made.digits("session", session.id);
	made.text("clock", clock_name(session.clock));
	made.number("start_ts", session.start_ts);
	made.digits("start_real", session.start_real);
	made.text("release", session.release);
	made.digits("features", session.features);
	made.number("cpus", session.nr_cpus);
	std::string models;
	for (const Model &model : session.models)
		models += fmt::format("{}{} {} {}", models.empty() ? "" : ", ", model.device,
				      model.bus, model.id);
	made.text("models", models);
	end(made);
}

void JsonCapture::event(const Event &event)
{
	if (rows_ == Rows::jobs)
		return;
	if (!told_) {
		told_ = true;
		tell_capture();
	}
	JsonLine made(place(event));
	made.text("row", "event");
	EventRow row = row_of(event);
	add_json(made, event_columns(), row);
	end(made);
}

void JsonCapture::gap(const Gap &gap)
{
	JsonLine made = line("gap");
	made.text("capture", capture_.name());
	if (gap.cpu == GRTRACE_CPU_NONE)
		made.null("cpu");
	else
		made.number("cpu", gap.cpu);
	made.number("records", gap.records);
	made.number("first_ts", gap.from_ts);
	made.number("last_ts", gap.to_ts);
	end(made);
}

void JsonCapture::job(const Job &job, JobLabel label)
{
	if (rows_ == Rows::events)
		return settle(job, label);
	JsonLine made = line("job");
	JobRow row(job, label, capture_.session());
	made.text("capture", capture_.name());
	add_json(made, job_columns(), row);
	end(made);
}

void JsonCapture::tell_rings()
{
	capture_.session().rings.each([&](const Ring &ring) {
		JsonLine made = line("ring");
		made.text("capture", capture_.name());
		made.number("ring", ring.id);
		made.text("ring_name", ring.name);
		made.text("dev", ring.device_name);
		made.text("driver", ring.driver);
		made.text("engine", capture_.session().class_name(ring.engine_class));
		made.text("flags", ring_flags_text(ring.flags));
		made.number("timeout_ms", ring.timeout_ms);
		end(made);
	});
}

void JsonCapture::tell_end()
{
	const StreamStats &stats = capture_.stats();
	JsonLine made = line("end");

	made.text("capture", capture_.name());
	made.number("records", stats.records);
	made.number("lost_events", stats.lost_events);
	made.number("lost_notes", stats.lost_notes);
	made.number("missing", stats.missing);
	made.number("skipped", stats.skipped_records);
	made.number("damaged_bytes", stats.damaged_bytes);
	end(made);
}

void JsonCapture::finish()
{
	tell_rings();
	tell_end();
}

template <typename CaptureRows> class RowExporter : public FileExporter {
public:
	RowExporter(const ExportOptions &options, bool names) : options_(options), names_(names) {}

	Status open(const std::string &path) override
	{
		if (names_ && options_.rows == Rows::jobs)
			print_csv_header(out_.text(), job_columns());
		else if (names_)
			print_csv_header(out_.text(), event_columns());
		return FileExporter::open(path);
	}
	std::unique_ptr<CaptureExport> add(uint32_t, Capture &capture) override
	{
		return std::make_unique<CaptureRows>(out_, options_, capture, dropped_);
	}
	std::vector<std::string> missing() const override
	{
		if (!dropped_)
			return {};
		return {fmt::format("--slow-only: {} row{} dropped, because it was not known "
				    "within {} jobs whether theirs was slow: choose fewer jobs, "
				    "with --ring or --pid",
				    dropped_, dropped_ == 1 ? " was" : "s were",
				    SlowEvents::max_held)};
	}

private:
	const ExportOptions &options_;
	bool names_; // a line of them
	uint64_t dropped_ = 0; // rows of jobs that may have been slow
};

} // namespace

std::unique_ptr<Exporter> make_csv_export(const ExportOptions &options)
{
	if (options.fleet)
		return make_fleet_export(options, false);
	return std::make_unique<RowExporter<CsvCapture>>(options, true);
}

std::unique_ptr<Exporter> make_json_export(const ExportOptions &options)
{
	if (options.fleet)
		return make_fleet_export(options, true);
	return std::make_unique<RowExporter<JsonCapture>>(options, false);
}

} // namespace grtrace
