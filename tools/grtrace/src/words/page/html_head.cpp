// SPDX-License-Identifier: GPL-2.0
#include "words/page/html_head.h"

#include <array>

#include "format/vocabulary.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/columns/json_line.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

void HtmlHead::key(const char *name)
{
	print_to(json_, "{}\"{}\":", first_ ? "" : ",", name);
	first_ = false;
}

void HtmlHead::text(const char *name, std::string_view value)
{
	key(name);
	append_json_text(json_, value);
}

// Only numbers of hostile captures are above 2^53.
void HtmlHead::number(const char *name, double value)
{
	key(name);
	print_to(json_, "{:.0f}", value);
}

template <typename Items, typename Fn>
void HtmlHead::list(const char *name, const Items &items, Fn print_item)
{
	bool first = true;

	key(name);
	json_.push_back('[');
	for (const auto &item : items) {
		if (!first)
			json_.push_back(',');
		first = false;
		print_item(item);
	}
	json_.push_back(']');
}

template <typename Fn> void HtmlHead::object(Fn print_members)
{
	json_.push_back('{');
	first_ = true;
	print_members();
	json_.push_back('}');
	first_ = false;
}

void HtmlHead::session(const HtmlCapture &capture)
{
	const Picture &picture = capture.picture;
	const Session &session = picture.capture().session();

	text("name", picture.capture().name());
	text("release", session.release);
	text("closing", capture.closing);
	number("real_ms", static_cast<double>(session.start_real) / 1e6);
	// Time 0 in seconds since the start, as all other tools count.
	number("origin",
	       static_cast<double>(static_cast<int64_t>(picture.from() - session.start_ts)));
	number("offset", capture.offset);
	number("length", static_cast<double>(picture.to() - picture.from()));
	number("rows", static_cast<double>(picture.rows().all().size()));
	number("dropped", static_cast<double>(picture.rows().dropped()));
	number("dropped_ns", static_cast<double>(picture.rows().dropped_ns()));
	number("links", static_cast<double>(picture.links().size()));
	number("links_dropped", static_cast<double>(picture.links_dropped()));
	number("left_out", static_cast<double>(picture.jobs_left_out()));
}

void HtmlHead::tasks(const Picture &picture)
{
	list("tasks", picture.tasks().entries(), [&](const auto &task) {
		print_to(json_, "[{},{},{},", task.pid, task.tgid, task.process);
		append_json_text(json_, task.comm);
		json_.push_back(']');
	});
	list("processes", picture.tasks().processes(), [&](const auto &process) {
		print_to(json_, "[{},{},", process.tgid, process.slot);
		append_json_text(json_, process.comm);
		json_.push_back(']');
	});
}

// [row, task]
void HtmlHead::guilty(const Picture &picture)
{
	const std::vector<PictureRow> &rows = picture.rows().all();
	std::vector<uint32_t> named;

	for (uint32_t row = 0; row < rows.size(); row++)
		if (rows[row].guilty_pid)
			named.push_back(row);
	list("guilty", named, [&](uint32_t row) {
		print_to(json_, "[{},", row);
		append_json_text(json_,
				 picture.capture().session().tasks.guilty(rows[row].guilty_pid));
		json_.push_back(']');
	});
}

void HtmlHead::contexts(const HtmlCapture &capture)
{
	list("contexts", capture.contexts, [&](uint64_t id) { print_to(json_, "\"{}\"", id); });
}

void HtmlHead::stages(const PictureRing &ring)
{
	key("stages");
	object([&] {
		for (size_t i = 0; i < Stages::nr_stages; i++) {
			const auto stage = static_cast<Stages::Stage>(i);
			const Histogram &times = ring.stages.stage(stage);

			if (!times.count())
				continue;
			key(Stages::name(stage));
			print_to(json_, "[{},{},{},{},{},{},{}", times.count(), times.min(),
				 times.average(), times.max(), times.percentile(500),
				 times.percentile(900), times.percentile(990));
			for (uint64_t count : times.by_microseconds())
				print_to(json_, ",{}", count);
			json_.push_back(']');
		}
	});
}

void HtmlHead::ring(const HtmlCapture &capture, const HtmlRing &ring)
{
	const Session &session = capture.picture.capture().session();
	const Ring &known = session.rings.find(ring.id);

	object([&] {
		number("id", ring.id);
		text("title", ring_title(session, ring.id) +
				      (known.has(GRTRACE_RING_CPU) ? " (jobs of the CPU)" : ""));
		text("dev", known.device_name);
		text("engine", known.known ? session.class_name(known.engine_class) : "unknown");
		number("jobs", static_cast<double>(ring.ring->nr_jobs));
		key("busy_ns");
		if (ring.ring->busy_ns)
			print_to(json_, "{}", *ring.ring->busy_ns);
		else
			print_to(json_, "null");
		list("lanes", ring.lanes, [&](uint32_t rows) { print_to(json_, "{}", rows); });
		list("levels", ring.levels, [&](const HtmlLevel &level) {
			print_to(json_, "[{},{:.0f},{}]", level.shift, level.begin, level.size);
		});
		stages(*ring.ring);
	});
}

void HtmlHead::rings(const HtmlCapture &capture)
{
	list("rings", capture.rings, [&](const HtmlRing &one) { ring(capture, one); });
}

void HtmlHead::losses(const Picture &picture)
{
	const StreamStats &stats = picture.capture().stats();
	const uint64_t from = picture.from();
	auto span = [&](uint64_t begin, uint64_t end, uint64_t records) {
		print_to(json_, "[{:.0f},{:.0f},{}]",
			 static_cast<double>(static_cast<int64_t>(begin - from)),
			 static_cast<double>(static_cast<int64_t>(end - from)), records);
	};

	number("lost", static_cast<double>(stats.lost()));
	text("missing_ends", missing_ends(picture.capture()));
	list("losses", picture.losses().all(),
	     [&](const LossSpans::Span &loss) { span(loss.from, loss.to, 0); });
	number("uncounted_places", static_cast<double>(stats.loss_places - stats.places.size()));
	list("loss_places", stats.places,
	     [&](const LossPlace &place) { span(place.from_ts, place.to_ts, place.records); });
}

// [title, place, text, job, from, to]
void HtmlHead::findings(const HtmlCapture &capture)
{
	const uint64_t begin = capture.picture.from();

	list("findings", capture.findings, [&](const HtmlFinding &finding) {
		json_.push_back('[');
		for (const std::string *words :
		     {&finding.title, &finding.place, &finding.text, &finding.job}) {
			append_json_text(json_, *words);
			json_.push_back(',');
		}
		print_to(json_, "{:.0f},{:.0f}]",
			 static_cast<double>(static_cast<int64_t>(finding.from - begin)),
			 static_cast<double>(static_cast<int64_t>(finding.to - begin)));
	});
}

// [ring, culprit's kind, victim's tgid and name, culprit's, ns, jobs, touched]
void HtmlHead::delays(const HtmlCapture &capture)
{
	if (!capture.delays)
		return;
	list("delays", capture.delays->cells(), [&](const DelayCell &cell) {
		print_to(json_, "[{},{},{},", cell.ring, static_cast<unsigned int>(cell.kind),
			 cell.victim.tgid);
		append_json_text(json_, cell.victim.comm);
		print_to(json_, ",{},", cell.culprit.tgid);
		append_json_text(json_, cell.culprit.comm);
		print_to(json_, ",{},{},{}]", cell.ns, cell.jobs, static_cast<int>(cell.touched));
	});
}

void HtmlHead::capture(const HtmlCapture &capture)
{
	object([&] {
		session(capture);
		tasks(capture.picture);
		guilty(capture.picture);
		contexts(capture);
		rings(capture);
		losses(capture.picture);
		delays(capture);
		findings(capture);
	});
}

void HtmlHead::print(fmt::memory_buffer &out)
{
	std::array<JobLabel, nr_job_labels> labels;

	for (size_t i = 0; i < nr_job_labels; i++)
		labels[i] = static_cast<JobLabel>(i);
	json_.clear();
	object([&] {
		number("wall_clock", wall_clock_);
		list("labels", labels,
		     [&](JobLabel label) { append_json_text(json_, job_label_name(label)); });
		list("captures", captures_, [&](const HtmlCapture &one) { capture(one); });
	});
	for (const char c : std::string_view(json_.data(), json_.size())) {
		if (c == '<')
			print_to(out, "\\u003c");
		else
			out.push_back(c);
	}
}

} // namespace grtrace
