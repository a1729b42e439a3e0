// SPDX-License-Identifier: GPL-2.0
#include "words/report/screen.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "read/capture/losses.h"
#include "words/report/ring_labels.h"
#include "words/terminal/paint.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

static bool continues(char c)
{
	return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// A number and its unit stay together.
static bool parts_unit(const std::string &text, size_t space)
{
	static const char *const units[] = {"s", "ms", "us", "ns", "%"};
	const size_t end = std::min(text.find_first_of(" .,;:)", space + 1), text.size());
	const std::string word = text.substr(space + 1, end - space - 1);

	return space && isdigit(static_cast<unsigned char>(text[space - 1])) &&
	       std::ranges::find(units, word) != std::end(units);
}

// Returns the space before that one in the line that begins at `from`, or that one if it is
// the first.
static size_t space_before(const std::string &text, size_t space, size_t from)
{
	const size_t before = text.rfind(' ', space - 1);

	return before == text.npos || before <= from ? space : before;
}

std::vector<std::string> lines_of(const std::string &text, size_t columns)
{
	std::vector<std::string> lines;
	size_t from = 0;

	while (from < text.size()) {
		size_t length = text.size() - from;

		if (length > columns) {
			size_t space = text.rfind(' ', from + columns);

			if (space != text.npos && space > from && parts_unit(text, space))
				space = space_before(text, space, from);
			length = space == text.npos || space <= from ? columns : space - from;
			while (length > 1 && continues(text[from + length]))
				length--;
		}
		lines.push_back(text.substr(from, length));
		from += length;
		from = std::min(text.find_first_not_of(' ', from), text.size());
	}
	return lines;
}

void Screen::line(const std::string &text)
{
	const size_t last = text.find_last_not_of(' ');

	lines_.push_back(last == text.npos ? "" : text.substr(0, last + 1));
}

void Screen::paragraph(const std::string &text, size_t indent)
{
	for (const std::string &part : lines_of(text, width_ - indent))
		line(std::string(indent, ' ') + part);
}

static std::string count_text(uint64_t number, const char *one)
{
	return fmt::format("{} {}{}", thousands(number), one, number == 1 ? "" : "s");
}

void Screen::print_head(const ScreenCounts &counts)
{
	const Session &session = capture_.session();
	const uint64_t lost = lost_records(capture_);
	std::string text =
		fmt::format("{}: {}", capture_.name(), short_time(counts.end - counts.begin));
	size_t rings = 0;

	strips_.each_used([&](uint32_t) { rings++; });
	if (!session.release.empty())
		text += fmt::format(", Linux {}", session.release);
	const std::vector<std::string> &gpus = session.rings.devices();
	if (!gpus.empty())
		text += ", " + count_text(gpus.size(), "GPU");
	// There is no room for the names of several GPUs.
	if (gpus.size() == 1 && !session.model_of(gpus[0]).empty())
		text += fmt::format(" {}", session.model_of(gpus[0]));
	text += fmt::format(", {}, {}", count_text(rings, "ring"), count_text(counts.jobs, "job"));
	if (counts.failed.jobs())
		text += fmt::format(" ({} failed)", thousands(counts.failed.jobs()));
	if (capture_.stats().sampled() || capture_.stats().sample_changes)
		text += ", sampled: totals are estimates";
	const std::string ends = missing_ends(capture_);
	if (lost)
		text += fmt::format(", {} lost", count_text(lost, "record"));
	if (!ends.empty())
		text += ", " + ends;
	else if (!lost)
		text += ", nothing lost";
	paragraph(text, 0);
}

// Chooses the rings that findings name, then the busiest ones, in the order of their ids.
std::vector<uint32_t> Screen::rings_shown(size_t most) const
{
	struct Ranked {
		uint32_t id;
		size_t finding;
		uint64_t busy;
	};
	std::vector<Ranked> ranked;
	std::vector<uint32_t> shown;

	strips_.each_used([&](uint32_t id) {
		size_t finding = 0;

		while (finding < findings_.all().size() && findings_.all()[finding].ring != id &&
		       std::ranges::find(findings_.all()[finding].rings, id) ==
			       findings_.all()[finding].rings.end())
			finding++;
		ranked.push_back({id, finding, strips_.busy_ns(id).value_or(0)});
	});
	std::ranges::stable_sort(ranked, [](const Ranked &a, const Ranked &b) {
		return a.finding != b.finding ? a.finding < b.finding : a.busy > b.busy;
	});
	for (size_t i = 0; i < std::min(most, ranked.size()); i++)
		shown.push_back(ranked[i].id);
	std::ranges::sort(shown);
	return shown;
}

// Returns the numbers of the findings about the ring: "#1 #3".
std::string Screen::marks(uint32_t ring) const
{
	std::string text;

	for (size_t i = 0; i < findings_.all().size(); i++) {
		const Finding &finding = findings_.all()[i];
		const std::string mark = fmt::format("{}#{}", text.empty() ? "" : " ", i + 1);

		if (finding.ring != ring &&
		    std::ranges::find(finding.rings, ring) == finding.rings.end())
			continue;
		if (text.size() + mark.size() > marks_width) {
			text += "+";
			break;
		}
		text += mark;
	}
	return text;
}

static std::string busy_share(std::optional<uint64_t> busy, uint64_t length, bool least)
{
	if (!busy || !length || (least && *busy < length / 1000))
		return "?";
	return fmt::format("{}{:.1f} %", least ? ">" : "",
			   100.0 * static_cast<double>(*busy) / static_cast<double>(length));
}

size_t Screen::strip_beside(size_t name) const
{
	return std::max(width_, name + beside_strip + strip_least) - name - beside_strip;
}

// Names the rings that are shown, and makes room for the names.
std::vector<std::string> Screen::fit_names(const std::vector<uint32_t> &rings)
{
	const RingTable &all = capture_.session().rings;
	std::vector<RingLabel> labels;

	for (const uint32_t id : rings) {
		const std::string title = text_.ring(id);
		const Ring &ring = all.find(id);

		labels.push_back(ring.known && title != ring.name ?
					 RingLabel{ring.device_name, ring.name} :
					 RingLabel{"", title});
	}

	const std::vector<std::string> names =
		fit_labels(labels, all.devices(), name_width_,
			   width_ - beside_strip - (width_ < narrow ? strip_least : strip_good));

	for (const std::string &name : names)
		name_width_ = std::max(name_width_, name.size());
	strip_width_ = strip_beside(name_width_);
	return names;
}

void Screen::print_ring(uint32_t ring, const std::string &name, const ScreenCounts &counts)
{
	const std::optional<uint64_t> busy = strips_.busy_ns(ring);
	const uint64_t length = counts.end - counts.begin;
	// If records were lost, the ring may have been busy for longer.
	const bool least = strips_.is_least();

	line(fmt::format(
		" {} {} {:>7}  {}", fit(name, name_width_),
		fit(strips_.draw(ring, length, strip_width_, terminal_.utf8), strip_width_),
		busy_share(busy, length, least), marks(ring)));
}

// The axis counts from the start of the session, as findings do, if there is room.
std::string Screen::axis(const ScreenCounts &counts) const
{
	const uint64_t start = capture_.session().start_ts;
	const bool at_start = text_.at(counts.begin).find_first_not_of("-0.") == std::string::npos;
	std::string begin = at_start ? "0 s" : text_.at(counts.begin) + " s";
	std::string end = at_start ? short_time(std::max(counts.end, start) - start) :
				     text_.at(counts.end) + " s";

	if (begin.size() + end.size() >= strip_width_) {
		begin.clear();
		end = short_time(counts.end - counts.begin);
	}
	return fmt::format("{}{:>{}}", begin, end, strip_width_ - begin.size());
}

void Screen::print_rings(const ScreenCounts &counts)
{
	// Lines that follow: two blank ones, the axis, the findings, and how many rings are
	// not shown.
	const size_t most = before_most - lines_.size() - 5;
	const std::vector<uint32_t> shown = rings_shown(most);
	const std::vector<std::string> names = fit_names(shown);
	size_t used = 0;

	strips_.each_used([&](uint32_t) { used++; });
	if (!used)
		return;
	line();
	line(fmt::format(" {} {} {:>7}  {}", fit("", name_width_), axis(counts), "busy",
			 findings_.all().empty() ? "" : "late"));
	for (size_t i = 0; i < shown.size(); i++)
		print_ring(shown[i], names[i], counts);
	if (used > shown.size())
		line(fmt::format(" and {} more", count_text(used - shown.size(), "ring")));
}

// A long place begins further on the left, so that no digit of it is cut.
std::string Screen::fit_place(const std::string &place)
{
	const size_t indent = title_width - std::min(title_width, place.size());

	return std::string(std::min<size_t>(indent, 3), ' ') + place;
}

void Screen::print_finding(size_t number)
{
	const Finding &finding = findings_.all()[number];
	const bool beside = width_ >= narrow;
	const size_t columns = width_ - (beside ? title_width + 1 : 3);
	std::vector<std::string> left = {
		fmt::format("#{} {}", number + 1, text_.title(finding)),
		fit_place(text_.place(finding)),
		finding.kind == CauseKind::not_over ?
			"   still at the end" :
			fmt::format("   {:.0f} % of waiting",
				    100.0 * static_cast<double>(finding.ns) /
					    static_cast<double>(findings_.all_ns()))};
	std::vector<std::string> right = lines_of(text_.sentences(finding), columns);
	const std::string chain = text_.chain(finding);

	for (const std::string &part : lines_of(chain, columns - 2))
		right.push_back("  " + part);
	if (!beside) {
		line(fmt::format("{} {},{}", left[0], text_.place(finding), left[2].substr(2)));
		for (const std::string &part : right)
			line("   " + part);
		return;
	}
	left.resize(std::max(left.size(), right.size()));
	right.resize(left.size());
	for (size_t i = 0; i < left.size(); i++)
		line(fmt::format("{} {}", fit(left[i], title_width), right[i]));
}

// Returns what is known of the waiting if no cause of it is a finding.
std::string Screen::short_of() const
{
	const std::string least = short_time(Findings::least_ns);

	if (findings_.all_ns() < Findings::least_ns)
		return "less than " + least;
	return fmt::format("for no cause {} or more in all and {} for a job", least,
			   short_time(Findings::least_each_ns));
}

// Returns why there is no finding. Jobs about which too little is known may have been late.
std::string Screen::none(const std::string &waited, const ScreenCounts &counts) const
{
	const uint64_t lost = lost_records(capture_);
	const bool none_began = !findings_.waited_jobs() && !findings_.unsubmitted();

	if (!findings_.waited_jobs() && lacks(capture_.session(), "submissions"))
		return "Why jobs waited is not known: the trace has no event of their submission.";
	if (none_began && lacks(capture_.session(), "beginnings"))
		return "Why jobs waited is not known: the trace has no event of their beginning.";
	if (none_began && !findings_.knows_all())
		return "Why jobs waited is not known: no record says when they began.";
	if (!findings_.knows_all())
		return fmt::format(
			"No cause is known: {}; how long other jobs waited is not known.", waited);
	if (lost)
		return fmt::format("{}, {}; {} lost, so more may have waited.", waited, short_of(),
				   count_text(lost, "record") + (lost == 1 ? " was" : " were"));
	if (const std::string ends = missing_ends(capture_); !ends.empty())
		return fmt::format("{}, {}; {}, so more may have waited.", waited, short_of(),
				   ends);
	if (counts.chosen && !counts.jobs)
		return fmt::format("None of the chosen jobs is in {}.",
				   counts.interval ? "this interval" : "the capture");
	if (counts.interval && !findings_.waited_jobs())
		return "No job waited in this interval.";
	// A job that began before the recording and was not over in it is in no record.
	if (!counts.jobs && capture_.knows_end())
		return fmt::format("No job was submitted and none ended in these {}. A job that "
				   "had a ring all the time, or a task that waited all the time, "
				   "is in no record.",
				   short_time(counts.end - counts.begin));
	return fmt::format("{}: {}, {}.",
			   counts.failed.jobs() ? "No job waited for long" : "Nothing was late",
			   waited, short_of());
}

// A frame is also late if its own job runs for too long, which no other has to wait for.
bool Screen::tells_longest(const ScreenCounts &counts) const
{
	return findings_.all().empty() && findings_.hangs().empty() &&
	       counts.longest.ns >= Findings::least_ns;
}

void Screen::print_findings(const ScreenCounts &counts, bool whole)
{
	const std::vector<Finding> &all = findings_.all();
	const bool woken = std::ranges::any_of(
		all, [](const Finding &one) { return one.kind == CauseKind::late_wake; });
	const std::string waited = fmt::format(
		"{} waited {} from SUBMIT to START{}", count_text(findings_.waited_jobs(), "job"),
		short_time(findings_.waited_ns()),
		woken ? fmt::format(", tasks {} after COMPLETE", short_time(findings_.woken_ns())) :
			"");

	line();
	// A failure matters more than that nothing was late.
	if (all.empty() && counts.failed.jobs())
		paragraph(counts.failed.sentence(text_), 0);
	if (all.empty())
		paragraph(none(waited, counts), 0);
	if (tells_longest(counts))
		paragraph(fmt::format("The longest job, {}, ran {} on {} at {} s.",
				      FindingText::job(counts.longest.name),
				      short_time(counts.longest.ns),
				      text_.ring(counts.longest.name.ring),
				      text_.at(counts.longest.start)),
			  0);
	if (all.empty())
		return;
	for (; shown_ < all.size() && (whole || shown_ == 0 || lines_.size() + 5 < lines_most);
	     shown_++) {
		if (!shown_ && findings_.standing())
			paragraph("NOT OVER AT THE END", 0);
		if (shown_ == findings_.standing())
			paragraph(fmt::format("WHY JOBS WERE LATE    {}:", waited), 0);
		print_finding(shown_);
	}
	if (all.size() == findings_.standing() && findings_.waited_jobs())
		paragraph(fmt::format("The others: {}, {}.", waited, short_of()), 0);
	if (shown_ < all.size()) {
		uint64_t ns = 0;

		for (size_t i = shown_; i < all.size(); i++)
			ns += all[i].ns;
		paragraph(fmt::format("And {}, {}: see --full.",
				      count_text(all.size() - shown_, "more finding"),
				      short_time(ns)),
			  0);
	}
}

// Returns whether a job failed that no finding on the screen names as a hang.
bool Screen::has_failures(const FailedJobs &failed) const
{
	return failed.jobs() && !failed.are_hangs_of({findings_.all().data(), shown_});
}

void Screen::print_rest(const ScreenCounts &counts)
{
	if (!findings_.all().empty() && has_failures(counts.failed))
		paragraph(counts.failed.sentence(text_), 0);
	if (findings_.all().size() > findings_.standing() && findings_.rest_ns())
		paragraph(text_.rest(), 0);
	if (const std::string text = text_.quiet_hangs(); !text.empty())
		paragraph(text, 0);
	print_unknown();
}

// Reports jobs that are in no sum. If the trace has no beginnings, these are all.
void Screen::print_unknown()
{
	if (lacks(capture_.session(), "beginnings"))
		return;
	if (const uint64_t jobs = findings_.untold())
		paragraph(fmt::format("No record says that {} began: {} thrown away, {}.",
				      count_text(jobs, "job"), jobs == 1 ? "it was" : "they were",
				      lost_records(capture_) ?
					      "not over at the end, or the record was lost" :
					      "or not over at the end"),
			  0);
	// There are no others if no job's wait is known.
	const bool known = findings_.waited_jobs();

	if (findings_.unstarted())
		paragraph(
			fmt::format("How long {} waited is not known: no record says when they "
				    "began.",
				    count_text(findings_.unstarted(), known ? "more job" : "job")),
			0);
	if (findings_.unsubmitted())
		paragraph(fmt::format(
				  "How long {} waited is not known: no record says when they "
				  "were submitted.",
				  count_text(findings_.unsubmitted(),
					     known || findings_.unstarted() ? "more job" : "job")),
			  0);
}

// The hardware may have begun later than it could; if it works on several jobs at once, also
// earlier than when the job before was done.
void Screen::print_inferred(const ScreenCounts &counts)
{
	if (counts.inferred)
		paragraph(fmt::format("START is inferred, not recorded, for {}{}{}.",
				      counts.inferred == counts.jobs ?
					      "all jobs" :
					      count_text(counts.inferred, "job"),
				      counts.out_of_order ?
					      ", as if their rings worked in order" :
					      ": queue times are at least, execution times at "
					      "most what is shown",
				      shared_rings(counts.out_of_order)),
			  0);
}

// On such rings a START may be early by as long as the other rings have the hardware.
std::string Screen::shared_rings(bool out_of_order) const
{
	size_t rings = 0;

	strips_.each_used([&](uint32_t id) {
		rings += capture_.session().rings.find(id).has(GRTRACE_RING_SHARED);
	});
	if (!rings)
		return "";
	return fmt::format("{} {} that share{} the hardware with other rings",
			   out_of_order ? ", and so also on" : ", above all on",
			   count_text(rings, "ring"), rings == 1 ? "s" : "");
}

// Where no event names the device.
void Screen::print_mixed()
{
	std::string names;

	strips_.each_used([&](uint32_t id) {
		const Ring &ring = capture_.session().rings.find(id);

		if (ring.has(GRTRACE_RING_MIXED) && names.find(ring.name) == names.npos)
			names += (names.empty() ? "" : ", ") + ring.name;
	});
	if (!names.empty())
		paragraph(fmt::format("Several GPUs have a ring {}, and no event says whose a job "
				      "is: its figures are of all of them.",
				      names),
			  0);
}

void Screen::print_coverage(const ScreenCounts &counts)
{
	print_mixed();
	// That none failed would be taken for granted.
	const bool no_results = !counts.failed.jobs() && lacks(capture_.session(), "results");
	const std::string end = fmt::format("; {}user-mode queues are not seen",
					    no_results ? "failures of jobs and " : "");
	std::string text = "coverage: ";
	const std::vector<Source> &sources = capture_.session().sources;

	if (sources.empty())
		text += "the capture names no sources";
	// A source without trace events has recorded nothing.
	for (const Source &source : sources)
		if (source.found || !source.known)
			text += (text.ends_with(": ") ? "" : ", ") + source.name;
	line();
	if (width_ < width)
		return paragraph(text + end, 0);
	if (text.size() + end.size() > width_)
		text = fit_parts(text, width_ - end.size() - 5) + ", ...";
	line(text + end);
}

// Returns the commands that show more of the first finding.
std::vector<std::string> Screen::next_of_finding(const std::string &name) const
{
	const std::vector<Finding> &all = findings_.all();

	if (all.empty() || all[0].chain.empty())
		return {};
	const uint64_t start = capture_.session().start_ts;
	uint64_t first = all[0].from;

	// Begins with the START of the job that they waited for.
	if (all[0].root != JobName() && all[0].root_start)
		first = std::min(first, all[0].root_start);

	const double from = std::floor(static_cast<double>(first - start) / 1e6) / 1e3;
	const double to = static_cast<double>(all[0].to - start) / 1e9;
	// The job that the finding names, or else a job that waited. A fence may be of no job.
	const bool has_job = all[0].root != JobName() && all[0].kind != CauseKind::fence;
	const JobName &job = has_job ? all[0].root : all[0].chain[0];

	return {fmt::format("grtrace explain {}{}", FindingText::job(job), name),
		fmt::format("grtrace timeline -w {:.3f}:{:.3f}{}", from, to + 0.001, name)};
}

// They are three at most. A job that failed matters more than a picture of what was late.
void Screen::print_next(const ScreenCounts &counts, const ScreenInput &input, bool whole)
{
	if (!input.name)
		return;
	std::vector<std::string> commands = next_of_finding(*input.name);
	const std::string failed = fmt::format(
		"grtrace explain {}{}", FindingText::job(counts.failed.first()), *input.name);

	if (tells_longest(counts))
		commands.push_back(fmt::format("grtrace explain {}{}",
					       FindingText::job(counts.longest.name), *input.name));
	if (has_failures(counts.failed) && (commands.empty() || commands[0] != failed))
		commands.insert(commands.begin() + !commands.empty(), failed);
	if (!whole) {
		commands.resize(std::min<size_t>(commands.size(), 2));
		commands.push_back(
			fmt::format("grtrace report --full{}{}", input.choice, *input.name));
	}
	for (size_t i = 0; i < commands.size(); i++)
		line(fmt::format("{}{}", i ? "      " : "next: ", commands[i]));
}

void Screen::print(fmt::memory_buffer &out, const ScreenCounts &counts, const ScreenInput &input,
		   bool whole)
{
	print_head(counts);
	print_rings(counts);
	if (counts.interval)
		paragraph("Waiting is counted within this interval. The first line counts only "
			  "jobs with a record in it.",
			  0);
	if (counts.damaged_times)
		paragraph(fmt::format("{} had an impossible time, and is left out.",
				      count_text(counts.damaged_times, "record")),
			  0);
	print_findings(counts, whole);
	print_rest(counts);
	print_inferred(counts);
	print_coverage(counts);
	print_next(counts, input, whole);
	Paint paint(out, terminal_.colour);

	for (const std::string &text : lines_) {
		const bool title = text.starts_with('#');
		const size_t head = !title ? 0 : std::min(text.size(), title_width);

		paint.put(text.substr(0, head), Colour::bold);
		paint.put(text.substr(head),
			  text.starts_with("coverage") ? Colour::faint : Colour::plain);
		paint.end_line();
	}
}

} // namespace grtrace
