// SPDX-License-Identifier: GPL-2.0
//
// The session of this machine as a capture, with the records that its channel
// still holds.
#pragma once

#include <string>

#include "lib/text/status.h"

namespace grtrace {

// Copies it to a file without a name, which is read by the path that is returned. Nothing
// is consumed, and the session continues. If a trigger has taken a snapshot, it is copied
// and not replaced. phrase: set to a description for the user. Fails if there is no session
// or no right to read it.
Status copy_session(std::string &path, std::string &phrase);

} // namespace grtrace
