// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string_view>

namespace grtrace {

// Uses the terminal as one screen that is repainted; the destructor restores it.
class MonitorScreen {
public:
	MonitorScreen() = default;
	MonitorScreen(const MonitorScreen &) = delete;
	MonitorScreen &operator=(const MonitorScreen &) = delete;
	~MonitorScreen() { close(); }

	// Returns false if standard output is not a terminal that can be repainted.
	bool open();
	void close();
	bool is_open() const { return open_; }

	// The first line of text is the title. Lines that are too long are cut.
	void paint(std::string_view text);

private:
	bool open_ = false;
};

} // namespace grtrace
