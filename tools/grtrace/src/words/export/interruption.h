// SPDX-License-Identifier: GPL-2.0
//
// interruption: a request to end while a half-written file has a name.
#pragma once

namespace grtrace {

// From now on the first SIGINT, SIGTERM or SIGHUP that is not ignored is only
// noted, so that what is half written can be removed. The second one ends the
// process, as always.
void note_interruption();

// The signal that was noted, 0 if none. Callable from anywhere.
int interruption();

// Ends the process by that signal, so that a shell sees what happened.
[[noreturn]] void end_interrupted();

} // namespace grtrace
