// SPDX-License-Identifier: GPL-2.0
//
// The frozen copy of the channel: taken by a word or by a trigger, read, and freed.
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"

namespace grtrace {

class Control;

Status take_snapshot(const Control &control);
Status discard_snapshot(const Control &control);

// Sets whether there is a snapshot; it is not consumed.
Status has_snapshot(const Control &control, bool *there);
Status open_snapshot(const Control &control, Fd *snapshot);

} // namespace grtrace
