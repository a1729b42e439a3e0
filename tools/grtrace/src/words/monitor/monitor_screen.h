// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string_view>

namespace grtrace {

// The terminal as one screen that is painted again; restored when this ends.
class MonitorScreen {
public:
	MonitorScreen() = default;
	MonitorScreen(const MonitorScreen &) = delete;
	MonitorScreen &operator=(const MonitorScreen &) = delete;
	~MonitorScreen() { close(); }

	// False: standard output is not a terminal that can do it.
	bool open();
	void close();
	bool is_open() const { return open_; }

	// Lines; the first is the title. Longer ones are cut.
	void paint(std::string_view text);

private:
	bool open_ = false;
};

} // namespace grtrace
