// SPDX-License-Identifier: GPL-2.0
//
// Without a snapshot the file exists as well: then opening or reading it gives ENODATA.
#include "words/frozen/snapshot.h"

#include "drive/control/control.h"

#include <fcntl.h>

#include <cerrno>

namespace grtrace {

static constexpr Refusal refusals[] = {
	{"snapshot", EINVAL,
	 "there is nothing to take a snapshot of: no session was started yet, or this kernel's "
	 "grtrace does not support snapshots"},
	{"snapshot", ENFILE,
	 "programs hold too many earlier snapshots open: end those that read {}/snapshot"},
	{"snapshot", ENOMEM,
	 "there is not enough memory for a snapshot: it takes as much as the channel"},
	{"discard", EINVAL, "there is no snapshot to discard"},
};

Status take_snapshot(const Control &control)
{
	return control.order("snapshot", "take a snapshot", refusals);
}

Status discard_snapshot(const Control &control)
{
	return control.order("discard", "discard the snapshot", refusals);
}

Status open_snapshot(const Control &control, Fd *snapshot)
{
	const std::string file = control.path("snapshot");

	*snapshot = Fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
	if (snapshot->is_open())
		return Status();
	if (errno == ENODATA)
		return Status::error("there is no snapshot");
	if (errno == ENOENT)
		return Status::error("{}: this kernel's grtrace does not support snapshots", file);
	return Status::error(explain(file, errno));
}

Status has_snapshot(const Control &control, bool *there)
{
	const std::string file = control.path("snapshot");
	const Fd fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
	char byte;

	*there = false;
	if (!fd.is_open() && errno == ENODATA)
		return Status();
	if (!fd.is_open())
		return Status::error(explain(file, errno));
	const ssize_t got = read(fd.get(), &byte, 1);
	if (got < 0 && errno != ENODATA)
		return Status::error(explain(file, errno));
	*there = got > 0;
	return Status();
}

} // namespace grtrace
