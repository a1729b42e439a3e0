// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/monitor_screen.h"

#include <curses.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace grtrace {

bool MonitorScreen::open()
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO) || !term || !*term)
		return false;
	SCREEN *screen = newterm(nullptr, stdout, stdin);
	if (!screen)
		return false;
	set_term(screen);
	curs_set(0);
	open_ = true;
	return true;
}

void MonitorScreen::close()
{
	if (open_)
		endwin();
	open_ = false;
}

void MonitorScreen::paint(std::string_view text)
{
	int row = 0;

	erase();
	while (!text.empty() && row < LINES) {
		const size_t end = std::min(text.find('\n'), text.size());
		const std::string_view line = text.substr(0, end);

		if (!row)
			attron(A_REVERSE);
		mvaddnstr(row++, 0, line.data(),
			  static_cast<int>(std::min<size_t>(line.size(), COLS)));
		attroff(A_REVERSE);
		text.remove_prefix(std::min(end + 1, text.size()));
	}
	refresh();
}

} // namespace grtrace
