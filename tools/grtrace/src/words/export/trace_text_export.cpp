// SPDX-License-Identifier: GPL-2.0
#include "words/export/trace_text_export.h"

#include <map>
#include <utility>

#include "words/data/id_map.h"
#include "words/export/file_exporter.h"
#include "words/export/trace_text_line.h"

namespace grtrace {

namespace {

// RING and TASK notes are no lines of ftrace: other lines carry their names.
bool has_line(const Event &event)
{
	return event.is_event() || event.type == GRTRACE_LOST || event.type == GRTRACE_MESSAGE;
}

// Memory grows with contexts, rings, and jobs in flight of known clients.
class TextCapture : public CaptureExport {
public:
	TextCapture(OutputFile &out, const TraceTextLine &line, Capture &capture)
		: out_(out), line_(line), capture_(capture)
	{
	}

	void event(const Event &event) override;
	void gap(const Gap &gap) override;
	void finish() override;
	// A job's later lines name its client even if its SUBMIT has none.
	void skip(const Event &event, bool) override { learn_client(event); }
	void job(const Job &job, JobLabel) override { clients_.erase({job.ctx, job.seqno_low()}); }
	void other_job(const Job &other, JobLabel label) override { job(other, label); }
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void lost(uint64_t, uint64_t) override
	{
		queued_.clear();
		hardware_.clear();
	}

private:
	// How many gaps are kept that were found ahead of their places; damage may claim any
	// number that never comes.
	static constexpr size_t gaps_max = 256;

	void learn_client(const Event &event);
	uint64_t known_client(const Event &event) const;
	void tell_gap(const Gap &gap);
	void tell_gaps_before(const Event &event);

	OutputFile &out_;
	const TraceTextLine &line_;
	Capture &capture_;
	IdMap<uint64_t> queued_; // by context
	IdMap<uint64_t> hardware_; // by ring
	std::map<std::pair<uint64_t, uint32_t>, uint64_t> clients_; // by ctx and seqno
	std::vector<Gap> gaps_; // found ahead, not yet printed
};

// A job is counted after its line is written: the line has the number of the jobs
// before it, as in the kernel.
void TextCapture::event(const Event &event)
{
	TraceTextCounts counts;

	if (!gaps_.empty())
		tell_gaps_before(event);
	learn_client(event);
	if (!has_line(event))
		return;
	counts.client = known_client(event);
	if (const uint64_t *queued = queued_.find(event.ctx))
		counts.queued = *queued;
	if (const uint64_t *hardware = hardware_.find(event.ring))
		counts.hardware = *hardware;
	// The job that is picked is off the queue, and on its way.
	if (event.type == GRTRACE_PICK) {
		counts.queued -= counts.queued > 0;
		counts.hardware++;
	}
	line_.print(out_.text(), event, capture_.session(), counts);
	out_.drain();
}

void TextCapture::learn_client(const Event &event)
{
	if (event.type == GRTRACE_SUBMIT && client_of(event))
		clients_[{event.ctx, event.seqno}] = client_of(event);
}

// Returns the client of the event's job, 0 if it is not known.
uint64_t TextCapture::known_client(const Event &event) const
{
	const auto known = clients_.find({event.ctx, event.seqno});

	return known == clients_.end() ? 0 : known->second;
}

void TextCapture::tell_gap(const Gap &gap)
{
	// The line has no word for a CPU that is not known.
	TraceTextLine::print_lost(out_.text(), gap.cpu == GRTRACE_CPU_NONE ? 0 : gap.cpu,
				  gap.records);
	out_.drain();
}

void TextCapture::gap(const Gap &gap)
{
	if (gaps_.size() == gaps_max) {
		tell_gap(gaps_.front());
		gaps_.erase(gaps_.begin());
	}
	gaps_.push_back(gap);
}

// ftrace says it before the CPU's next event.
void TextCapture::tell_gaps_before(const Event &event)
{
	std::erase_if(gaps_, [&](const Gap &gap) {
		const bool passed = gap.cpu == event.cpu && gap.to_ts <= event.ts;

		if (passed)
			tell_gap(gap);
		return passed;
	});
}

void TextCapture::finish()
{
	for (const Gap &gap : gaps_)
		tell_gap(gap);
}

bool is_queued(JobPhase phase)
{
	return phase == JobPhase::queued || phase == JobPhase::blocked;
}

// The scheduler takes a job off its count when the hardware is done with it.
bool is_picked(JobPhase phase)
{
	return phase >= JobPhase::picked && phase < JobPhase::ended;
}

void TextCapture::moved(const Job &job, JobPhase from, uint64_t)
{
	const JobPhase to = job.phase;

	if (is_queued(from) != is_queued(to))
		queued_.get(job.ctx) += is_queued(to) ? 1 : -1;
	if (is_picked(from) != is_picked(to))
		hardware_.get(job.ring) += is_picked(to) ? 1 : -1;
}

class TextExporter : public FileExporter {
public:
	explicit TextExporter(TraceTextLine::Style style) : line_(style) {}

	Status open(const std::string &path) override
	{
		TraceTextLine::print_header(out_.text());
		return FileExporter::open(path);
	}
	std::unique_ptr<CaptureExport> add(uint32_t, Capture &capture) override
	{
		return std::make_unique<TextCapture>(out_, line_, capture);
	}

private:
	TraceTextLine line_;
};

} // namespace

std::unique_ptr<Exporter> make_text_export(const ExportOptions &)
{
	return std::make_unique<TextExporter>(TraceTextLine::Style::since_6_17);
}

std::unique_ptr<Exporter> make_old_text_export(const ExportOptions &)
{
	return std::make_unique<TextExporter>(TraceTextLine::Style::old);
}

} // namespace grtrace
