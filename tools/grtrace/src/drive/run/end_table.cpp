// SPDX-License-Identifier: GPL-2.0
//
// The formats are blktrace's, byte for byte, so scripts that read its table can read
// this one.
#include "drive/run/end_table.h"

#include "lib/text/print_to.h"

#include <fmt/format.h>

namespace grtrace {

namespace {

// Rounds up, so that data is never shown as 0 KiB.
uint64_t kib(uint64_t bytes)
{
	return (bytes + 1023) / 1024;
}

CpuCapture total(const std::vector<CpuCapture> &cpus)
{
	CpuCapture sum;

	for (const CpuCapture &cpu : cpus) {
		sum.counts.written += cpu.counts.written;
		sum.counts.lost += cpu.counts.lost;
		sum.counts.lost_notes += cpu.counts.lost_notes;
		sum.saved += cpu.saved;
	}
	return sum;
}

} // namespace

std::string end_table(const std::string &name, const std::vector<CpuCapture> &cpus)
{
	const CpuCapture sum = total(cpus);
	std::string text = fmt::format("=== {} ===\n", name);

	for (const CpuCapture &cpu : cpus)
		text += fmt::format("  CPU{:3}: {:20} events, {:8} KiB data\n", cpu.counts.cpu,
				    cpu.counts.written, kib(cpu.saved));
	return text + fmt::format("  Total:  {:20} events (dropped {}), {:8} KiB data\n",
				  sum.counts.written, sum.counts.lost, kib(sum.saved));
}

namespace {

std::string refused_text(const LeftOut &refused)
{
	const char *words = " of them were refused";
	std::string text;

	if (refused.limited) {
		text = fmt::format("{}{} by the rate limit (--rate, --burst)", refused.limited,
				   words);
		words = "";
	}
	if (refused.pressure)
		text += fmt::format("{}{}{} by backpressure (--backpressure)",
				    text.empty() ? "" : ", ", refused.pressure, words);
	return text.empty() ? text : text + "\n";
}

} // namespace

std::string loss_advice(const std::vector<CpuCapture> &cpus, const LeftOut &left_out)
{
	const CpuCapture sum = total(cpus);
	const uint64_t lost = sum.counts.lost;
	std::string text;

	if (lost)
		text = fmt::format("You have {} ({:5.1f}%) dropped events\n", lost,
				   100.0 * static_cast<double>(lost) /
					   static_cast<double>(lost + sum.counts.written));
	text += refused_text(left_out);
	if (sum.counts.lost_notes)
		text += fmt::format(
			"You have {} dropped notes (names of tasks and rings, messages)\n",
			sum.counts.lost_notes);
	// More memory does not help against a rate limit.
	if (lost > left_out.limited || sum.counts.lost_notes)
		text += "Consider using a larger buffer size (-b) and/or more buffers (-n)\n";
	return text;
}

void print_end(const std::string &name, const std::vector<CpuCapture> &cpus,
	       const LeftOut &left_out, bool to_stdout)
{
	print_to(to_stdout ? stderr : stdout, "{}", end_table(name, cpus));
	print_to(stderr, "{}", loss_advice(cpus, left_out));
	if (left_out.overwritten)
		print_to(stderr, "{} older events were overwritten (mode=overwrite)\n",
			 left_out.overwritten);
}

} // namespace grtrace
