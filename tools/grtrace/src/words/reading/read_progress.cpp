// SPDX-License-Identifier: GPL-2.0
//
// It must cost nothing if no terminal shows it, and must not mix with other output.
#include "words/reading/read_progress.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "lib/text/print_to.h"

namespace grtrace {

static uint64_t monotonic_now()
{
	timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return uint64_t(ts.tv_sec) * 1000000000 + uint64_t(ts.tv_nsec);
}

static bool clears_lines(const char *term)
{
	return term && *term && std::string_view(term) != "dumb";
}

ReadProgress::ReadProgress(Now now, Show show)
	: now_(std::move(now)), show_(std::move(show)), start_ns_(now_())
{
}

ReadProgress::ReadProgress(bool writes) : now_(monotonic_now), start_ns_(now_())
{
	if (isatty(STDERR_FILENO) && clears_lines(getenv("TERM")) &&
	    !(writes && isatty(STDOUT_FILENO)))
		show_ = [](std::string_view text) { write_to(stderr, text); };
}

std::string ReadProgress::line(uint64_t now) const
{
	constexpr double mib = 1024 * 1024;
	const double seconds = static_cast<double>(now - start_ns_) / 1e9;
	const double done = static_cast<double>(read_) / mib;
	const double all = static_cast<double>(expected_) / mib;
	std::string text;

	// The file may grow while it is read.
	if (!endless_ && expected_)
		text = fmt::format("{:.0f} % of {:.0f} MiB", std::min(done / all, 1.0) * 100, all);
	else
		text = fmt::format("{:.0f} MiB", done);
	return fmt::format("\r{} read, {:.0f} MiB/s\x1b[K", text, done / seconds);
}

void ReadProgress::read(uint64_t bytes)
{
	read_ += bytes;
	if (!show_)
		return;
	const uint64_t now = now_();
	if (now - start_ns_ < first_ns || now - shown_ns_ < step_ns)
		return;
	shown_ns_ = now;
	visible_ = true;
	show_(line(now));
}

void ReadProgress::clear()
{
	if (visible_)
		show_("\r\x1b[K");
	visible_ = false;
}

} // namespace grtrace
