// SPDX-License-Identifier: GPL-2.0
#include "words/export/sqlite_export.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "format/vocabulary.h"
#include "lib/options/version.h"
#include "words/data/id_map.h"
#include "words/export/sqlite_file.h"
#include "words/export/sqlite_schema.h"

namespace grtrace {

namespace {

// The tables that rows are added to all the time.
struct Inserts {
	explicit Inserts(SqliteFile &file)
		: event(file, "event", 4 + static_cast<int>(event_columns.size())),
		  job(file, "job", 4 + static_cast<int>(job_columns.size())), task(file, "task", 6),
		  note(file, "note", 1 + static_cast<int>(note_columns.size())),
		  call(file, "ioctl", 1 + static_cast<int>(call_columns.size())),
		  queue(file, "queue", 1 + static_cast<int>(queue_columns.size())),
		  error(file, "error", 1 + static_cast<int>(error_columns.size())),
		  loss(file, "loss", 11), dependency(file, "dependency", 10),
		  wait(file, "wait", 13), device(file, "device", 5), ring(file, "ring", 7),
		  fence_name(file, "fence_name", 4), capture(file, "capture", 17),
		  stop(file, "stop", 6), type(file, "record_type", 3)
	{
	}

	std::vector<const EventColumn *> event_columns = sqlite_event_columns();
	std::vector<const JobColumn *> job_columns = sqlite_job_columns();
	std::vector<const EventColumn *> note_columns = sqlite_side_columns("note");
	std::vector<const EventColumn *> call_columns = sqlite_side_columns("ioctl");
	std::vector<const EventColumn *> queue_columns = sqlite_side_columns("queue");
	std::vector<const EventColumn *> error_columns = sqlite_side_columns("error");
	SqliteInsert event;
	SqliteInsert job;
	SqliteInsert task;
	SqliteInsert note;
	SqliteInsert call;
	SqliteInsert queue;
	SqliteInsert error;
	SqliteInsert loss;
	SqliteInsert dependency;
	SqliteInsert wait;
	SqliteInsert device;
	SqliteInsert ring;
	SqliteInsert fence_name;
	SqliteInsert capture;
	SqliteInsert stop;
	SqliteInsert type;
	std::set<uint16_t> types; // that only a METADATA names, written
};

// Puts a cell into a row.
struct SqliteCell {
	void operator()(std::monostate) { insert.add(nullptr); }
	void operator()(std::integral auto number) { insert.add(static_cast<uint64_t>(number)); }
	void operator()(std::string_view text) { insert.add(text); }

	SqliteInsert &insert;
};

void bind(SqliteInsert &insert, const Cell &cell)
{
	std::visit(SqliteCell{insert}, cell.value);
}

// Memory grows with tasks. Tables that are known only at the end are filled
// then.
class SqliteCapture : public CaptureExport {
public:
	SqliteCapture(Inserts &inserts, uint32_t index, Capture &capture)
		: to_(inserts), id_(index + 1), capture_(capture)
	{
	}

	void event(const Event &event) override;
	void skip(const Event &event, bool) override { note_result(event); }
	void gap(const Gap &gap) override;
	void job(const Job &job, JobLabel label) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override;
	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	void waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			      uint64_t from, uint64_t to) override;
	void finish() override;

private:
	// The last name of a pid, and the row that gave it.
	struct Named {
		Task task;
		int64_t row = 0;
	};

	void add_task(SqliteInsert &insert, uint32_t pid, const Task *task);
	void note_result(const Event &event)
	{
		wait_result_ = event.type == GRTRACE_SYNC_WAIT_EXIT ? event.error() : 0;
	}
	static void add_side(SqliteInsert &insert, int64_t event, EventRow &row,
			     const std::vector<const EventColumn *> &columns);
	void add_loss(int64_t event, const Event &from);
	void add_rings();
	void add_fence_names();
	void add_types();
	void add_capture();
	void add_stops();

	Inserts &to_;
	uint64_t id_;
	Capture &capture_;
	IdMap<Named> tasks_; // by pid
	int wait_result_ = 0; // if the last event ends a wait: its result
	uint64_t first_ts_ = Job::none;
	uint64_t last_ts_ = 0;
};

// A pid may be used again: each of its names is a row.
void SqliteCapture::add_task(SqliteInsert &insert, uint32_t pid, const Task *task)
{
	if (!task) {
		insert.add(nullptr);
		return;
	}

	Named &named = tasks_.get(pid);
	if (!named.row || named.task.tgid != task->tgid || named.task.cgroup != task->cgroup ||
	    named.task.name() != task->name()) {
		named.task = *task;
		to_.task.add(nullptr, id_, pid, task->tgid, task->name());
		named.row =
			(task->cgroup ? to_.task.add(task->cgroup) : to_.task.add(nullptr)).row();
	}
	insert.add(named.row);
}

void SqliteCapture::event(const Event &event)
{
	EventRow row(event, capture_.session(), capture_.name(), Job::none);

	note_result(event);
	to_.event.add(nullptr, id_, event.type);
	add_task(to_.event, event.pid, row.task);
	for (const EventColumn *column : to_.event_columns)
		bind(to_.event, column->cell(row));

	const int64_t id = to_.event.row();
	if (event.type == GRTRACE_LOST)
		add_loss(id, event);
	if (!event.is_event())
		add_side(to_.note, id, row, to_.note_columns);
	if (event.type == GRTRACE_IOCTL)
		add_side(to_.call, id, row, to_.call_columns);
	if (event.type == GRTRACE_QUEUE)
		add_side(to_.queue, id, row, to_.queue_columns);
	if (event.type == GRTRACE_ERROR)
		add_side(to_.error, id, row, to_.error_columns);
	// A LOST stands before its time.
	if (event.sequenced) {
		first_ts_ = std::min(first_ts_, event.ts);
		last_ts_ = std::max(last_ts_, event.ts);
	}
}

// Columns that few events have.
void SqliteCapture::add_side(SqliteInsert &insert, int64_t id, EventRow &row,
			     const std::vector<const EventColumn *> &columns)
{
	insert.add(id);
	for (const EventColumn *column : columns)
		bind(insert, column->cell(row));
	insert.row();
}

void SqliteCapture::add_loss(int64_t id, const Event &event)
{
	const Lost lost = lost_of(event);

	to_.loss.add(nullptr, id_, id, event.cpu, lost.first_ts, lost.last_ts, lost.events,
		     lost.notes, lost.limited, lost.pressure, lost.records());
	to_.loss.row();
}

void SqliteCapture::gap(const Gap &gap)
{
	to_.loss.add(nullptr, id_, nullptr);
	if (gap.cpu == GRTRACE_CPU_NONE)
		to_.loss.add(nullptr);
	else
		to_.loss.add(gap.cpu);
	to_.loss.add(gap.from_ts, gap.to_ts, nullptr, nullptr, nullptr, nullptr, gap.records);
	to_.loss.row();
}

void SqliteCapture::job(const Job &job, JobLabel label)
{
	JobRow row(job, label, capture_.session());

	to_.job.add(nullptr, id_, job.ring);
	add_task(to_.job, job.pid, row.task);
	for (const JobColumn *column : to_.job_columns)
		bind(to_.job, column->cell(row));
	to_.job.row();
}

// The columns that name a job, NULL if it is not known.
static void add_job(SqliteInsert &insert, const Job *job)
{
	if (job)
		insert.add(job->ctx, job->ring, job->seqno);
	else
		insert.add(nullptr, nullptr, nullptr);
}

void SqliteCapture::depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on)
{
	to_.dependency.add(nullptr, id_, job.ctx, job.ring, job.seqno, ctx, seqno);
	add_job(to_.dependency, on);
	to_.dependency.row();
}

// The job waited, for the fence.
void SqliteCapture::blocked(const Job &job, uint64_t from, uint64_t to)
{
	to_.wait.add(nullptr, id_, "job", job.pid);
	add_task(to_.wait, job.pid, capture_.session().tasks.find(job.pid));
	add_job(to_.wait, &job);
	to_.wait.add(job.blocker_ctx, job.blocker_seqno, from, to, nullptr).row();
}

// The task waited for the fence, behind which the job is.
void SqliteCapture::waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
				     uint64_t from, uint64_t to)
{
	to_.wait.add(nullptr, id_, "task", pid);
	add_task(to_.wait, pid, capture_.session().tasks.find(pid));
	add_job(to_.wait, job);
	to_.wait.add(ctx, seqno, from, to);
	(wait_result_ ? to_.wait.add(static_cast<int64_t>(wait_result_)) : to_.wait.add(nullptr))
		.row();
}

// Test suites have had several drivers behind one name.
void SqliteCapture::add_rings()
{
	std::map<std::pair<std::string, std::string>, int64_t> devices;

	capture_.session().rings.each([&](const Ring &ring) {
		int64_t &device = devices[{ring.device_name, ring.driver}];
		if (!device) {
			const std::string_view model =
				capture_.session().model_of(ring.device_name);
			to_.device.add(nullptr, id_, ring.device_name, ring.driver);
			device = (model.empty() ? to_.device.add(nullptr) : to_.device.add(model))
					 .row();
		}
		to_.ring.add(id_, ring.id, device, ring.name,
			     capture_.session().class_name(ring.engine_class), ring.flags,
			     ring.timeout_ms);
		to_.ring.row();
	});
}

void SqliteCapture::add_fence_names()
{
	for (const auto &[ctx, names] : capture_.session().fences.all())
		to_.fence_name.add(id_, ctx, names.driver, names.timeline).row();
}

void SqliteCapture::add_capture()
{
	const Session &session = capture_.session();
	const StreamStats &stats = capture_.stats();

	to_.capture.add(id_, capture_.name(), session.id, clock_name(session.clock),
			session.start_ts, session.start_real, session.release, session.features,
			session.nr_cpus);
	if (first_ts_ == Job::none)
		to_.capture.add(nullptr, nullptr);
	else
		to_.capture.add(first_ts_, last_ts_);
	to_.capture.add(stats.records, stats.lost_events, stats.lost_notes, stats.missing,
			stats.skipped_records, stats.damaged_bytes);
	to_.capture.row();
}

// A number that several captures have for something else has the first one's name.
void SqliteCapture::add_types()
{
	for (const auto &[type, event] : capture_.session().event_names)
		if (to_.types.insert(type).second)
			to_.type.add(type, event.name, event.letter).row();
}

// Where the end of a CPU's stream is missing, there is no row.
void SqliteCapture::add_stops()
{
	const std::vector<CpuStats> &cpus = capture_.stats().cpus;

	for (uint32_t cpu = 0; cpu < cpus.size(); cpu++)
		if (cpus[cpu].stopped)
			to_.stop.add(id_, cpu, cpus[cpu].stop_ts, cpus[cpu].stop_gseq,
				     cpus[cpu].next_cseq, cpus[cpu].kernel_lost)
				.row();
}

void SqliteCapture::finish()
{
	add_types();
	add_rings();
	add_fence_names();
	add_capture();
	add_stops();
}

class SqliteExporter : public Exporter {
public:
	Status open(const std::string &path) override;
	std::unique_ptr<CaptureExport> add(uint32_t index, Capture &capture) override
	{
		return std::make_unique<SqliteCapture>(*inserts_, index, capture);
	}
	bool failed() const override { return file_.failed(); }
	Status close() override;

private:
	void add_meta();

	SqliteFile file_;
	std::optional<Inserts> inserts_;
};

Status SqliteExporter::open(const std::string &path)
{
	Status status = file_.create(path);

	if (!status.ok())
		return status;
	file_.run(sqlite_tables());
	inserts_.emplace(file_);
	add_meta();
	return {};
}

void SqliteExporter::add_meta()
{
	SqliteInsert meta(file_, "meta", 2);

	meta.add("schema_version", sqlite_schema_version).row();
	meta.add("program", "grtrace").row();
	meta.add("program_version", tools_version).row();
}

Status SqliteExporter::close()
{
	file_.run(sqlite_indexes());
	inserts_.reset();
	return file_.close();
}

} // namespace

std::unique_ptr<Exporter> make_sqlite_export(const ExportOptions &)
{
	return std::make_unique<SqliteExporter>();
}

} // namespace grtrace
