// SPDX-License-Identifier: GPL-2.0
//
// ReadProgress: a line on a terminal that shows how much has been read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "read/stream/byte_reader.h"

namespace grtrace {

// The reader reports each block, but not each record, to this class; the clock is read
// only at these times. The line appears once reading has taken first_ns and is written
// again every step_ns. clear() removes it, and has to be called before anything else is
// written to the terminal. The length of a pipe is unknown, so no percentage is shown for
// it.
class ReadProgress : public ReadListener {
public:
	using Now = std::function<uint64_t()>; // ns
	using Show = std::function<void(std::string_view)>;

	static constexpr uint64_t first_ns = 1000000000;
	static constexpr uint64_t step_ns = 200000000;

	ReadProgress(Now now, Show show);

	// Shows the line on stderr, if that is a terminal that can clear a line. writes:
	// whether the program writes to standard output while it reads; no progress is
	// shown if that is a terminal too.
	explicit ReadProgress(bool writes);

	~ReadProgress() { clear(); }
	ReadProgress(const ReadProgress &) = delete;
	ReadProgress &operator=(const ReadProgress &) = delete;

	void expect(uint64_t bytes) override { expected_ += bytes; }
	void expect_pipe() override { endless_ = true; }
	void read(uint64_t bytes) override;
	void clear();

private:
	std::string line(uint64_t now) const;

	Now now_;
	Show show_; // empty if there is no terminal
	uint64_t start_ns_ = 0;
	uint64_t shown_ns_ = 0; // 0: not shown yet
	uint64_t expected_ = 0;
	uint64_t read_ = 0;
	bool endless_ = false;
	bool visible_ = false;
};

} // namespace grtrace
