// SPDX-License-Identifier: GPL-2.0
//
// The kernel has a histogram of write times, but no sum. Each write is counted with the
// upper bound of its bucket, so the figures are upper limits.
#include "words/status/overhead.h"

#include <algorithm>

#include <fmt/format.h>

#include "drive/control/control.h"

namespace grtrace {

namespace {

uint64_t number(const std::string &text)
{
	uint64_t value = 0;

	(void)parse_number(text, &value);
	return value;
}

// Returns the column of each row, or nothing if the view lacks it.
std::vector<uint64_t> column(const CsvTable &table, std::string_view name)
{
	std::vector<uint64_t> values;
	size_t place;

	if (!table.find(name, &place).ok())
		return values;
	for (const std::vector<std::string> &row : table.rows)
		values.push_back(number(row[place]));
	return values;
}

uint64_t sum(const std::vector<uint64_t> &values)
{
	uint64_t total = 0;

	for (const uint64_t value : values)
		total += value;
	return total;
}

// The last line is the second in progress.
std::string rates_text(const CsvTable &seconds)
{
	std::vector<uint64_t> events = column(seconds, "written");
	std::vector<uint64_t> bytes = column(seconds, "bytes");

	if (events.size() > 1) {
		events.pop_back();
		bytes.pop_back();
	}
	if (events.empty() || bytes.size() != events.size())
		return "rate                  NA\n";
	return fmt::format("rate                  {} events/s, {} bytes/s (mean of {} s; most {} "
			   "events/s)\n",
			   sum(events) / events.size(), sum(bytes) / bytes.size(), events.size(),
			   *std::ranges::max_element(events));
}

std::string writes_text(const CsvTable &histogram, const CsvTable &seconds)
{
	uint64_t writes = 0, total = 0, most = 0, bound = 0;

	for (size_t i = 0; i < histogram.header.size() && !histogram.rows.empty(); i++) {
		const uint64_t count = number(histogram.rows[0][i]);
		const std::string &name = histogram.header[i];

		// The last bucket has no upper bound; it begins where the others end.
		if (name.size() > 3)
			bound = number(name.substr(3));
		writes += count;
		total += count * bound;
		most = count ? bound : most;
	}
	if (!writes)
		return "write time            NA (profile=1 measures it)\n";
	const bool open_ended = number(histogram.rows[0].back());
	std::string text = fmt::format(
		"write time            {} writes, mean {} {} ns, max {} {} ns, "
		"total {} {} us",
		writes, open_ended ? "about" : "<", total / writes, open_ended ? ">=" : "<", most,
		open_ended ? "about" : "<", (total + 999) / 1000);
	const uint64_t written = sum(column(seconds, "written"));
	if (!seconds.rows.empty() && written)
		text += fmt::format(", {:.3f} % of one CPU",
				    static_cast<double>(written) * static_cast<double>(total) /
					    static_cast<double>(writes) /
					    static_cast<double>(seconds.rows.size()) / 1e7);
	return text + "\n";
}

std::string drops_text(const std::vector<NamedText> &stats)
{
	static constexpr const char *reasons[] = {
		"sampled_out",         "rate_limited_drops", "backpressure_drops",
		"writes_reserve_fail", "writes_oversize",    "writes_nmi",
		"overwritten",
	};
	const uint64_t offered = named_number(stats, "offered");
	std::string text;

	for (const char *reason : reasons) {
		const uint64_t count = named_number(stats, reason);

		if (count && offered)
			text += fmt::format(
				"{}{} {} ({:.1f} %)", text.empty() ? "" : ", ", reason, count,
				100.0 * static_cast<double>(count) / static_cast<double>(offered));
	}
	return fmt::format("drops                 {}\n", text.empty() ? "none" : text);
}

std::string balance_text(const CsvTable &cpus)
{
	const std::vector<uint64_t> written = column(cpus, "written");
	const uint64_t total = sum(written);

	if (written.empty() || !total)
		return "imbalance             NA\n";
	const auto most = std::ranges::max_element(written);
	const std::vector<uint64_t> numbers = column(cpus, "cpu");
	const auto place = static_cast<size_t>(most - written.begin());
	return fmt::format("imbalance             CPU {} has {:.1f} times the mean of {} CPUs\n",
			   place < numbers.size() ? numbers[place] : place,
			   static_cast<double>(*most) * static_cast<double>(written.size()) /
				   static_cast<double>(total),
			   written.size());
}

} // namespace

OverheadViews read_overhead(const Control &control)
{
	OverheadViews views;

	// An older kernel lacks some.
	(void)control.read("stats", &views.stats);
	(void)control.read("pc_stats", &views.pc_stats);
	(void)control.read("sec_stats", &views.sec_stats);
	(void)control.read("latency_hist", &views.latency_hist);
	return views;
}

std::string overhead_text(const OverheadViews &views)
{
	CsvTable cpus, seconds, histogram;

	(void)parse_csv(views.pc_stats, &cpus);
	(void)parse_csv(views.sec_stats, &seconds);
	(void)parse_csv(views.latency_hist, &histogram);
	return rates_text(seconds) + writes_text(histogram, seconds) +
	       drops_text(parse_named(views.stats, ' ')) + balance_text(cpus);
}

} // namespace grtrace
