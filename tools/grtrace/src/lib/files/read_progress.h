// SPDX-License-Identifier: GPL-2.0
//
// ReadProgress: a line on a terminal that says how far the reading is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace grtrace {

// The reader reports each block to it, not each record; it looks at the
// clock then. The line comes once reading has taken first_ns, is written again
// every step_ns, and goes with clear(), which has to come before anything else
// is written to the terminal. The length of a pipe is unknown, so it has no
// percentage.
class ReadProgress {
public:
	using Now = std::function<uint64_t()>; // ns
	using Show = std::function<void(std::string_view)>;

	static constexpr uint64_t first_ns = 1000000000;
	static constexpr uint64_t step_ns = 200000000;

	ReadProgress(Now now, Show show);

	// On stderr, if that is a terminal that knows how to clear a line.
	// writes: something is written to standard output while it reads; if
	// that is also a terminal, no progress is shown.
	explicit ReadProgress(bool writes);

	~ReadProgress() { clear(); }
	ReadProgress(const ReadProgress &) = delete;
	ReadProgress &operator=(const ReadProgress &) = delete;

	// There are so many bytes more to be read.
	void expect(uint64_t bytes) { expected_ += bytes; }
	// And how many more is unknown.
	void expect_pipe() { endless_ = true; }
	void read(uint64_t bytes);
	void clear();

private:
	std::string line(uint64_t now) const;

	Now now_;
	Show show_; // nothing: no terminal
	uint64_t start_ns_ = 0;
	uint64_t shown_ns_ = 0; // 0: not yet
	uint64_t expected_ = 0;
	uint64_t read_ = 0;
	bool endless_ = false;
	bool visible_ = false;
};

} // namespace grtrace
