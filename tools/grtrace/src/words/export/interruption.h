// SPDX-License-Identifier: GPL-2.0
//
// interruption: delays signals while a half-written file has a name.
#pragma once

namespace grtrace {

// From now on the first SIGINT, SIGTERM or SIGHUP that is not ignored is only remembered,
// so that a half-written file can be removed. The second one ends the process, as usual.
void note_interruption();

// Returns the remembered signal, 0 if none came. It can be called from anywhere.
int interruption();

// Ends the process by that signal, so that a shell sees the reason.
[[noreturn]] void end_interrupted();

} // namespace grtrace
