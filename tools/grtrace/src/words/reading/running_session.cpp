// SPDX-License-Identifier: GPL-2.0
#include "words/reading/running_session.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drive/control/control.h"
#include "format/boot_id.h"
#include "words/frozen/snapshot.h"

namespace grtrace {

// The file disappears with the last of its descriptors; readers open it by a path in
// /dev/fd.
static Status copy_snapshot(const Control &control, int to)
{
	static constexpr size_t piece = 1024 * 1024;
	std::vector<char> buffer(piece);
	const BootId boot = read_boot_id();
	bool begins = true;
	Fd from;

	if (Status status = open_snapshot(control, &from); !status.ok())
		return status;
	for (;;) {
		const ssize_t got = read(from.get(), buffer.data(), buffer.size());

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return Status::error("{}/snapshot: {}", control.directory(),
					     strerror(errno));
		if (got == 0)
			return begins ? Status::error("the session holds nothing") : Status();
		// The description of the stream comes first, in one read.
		if (begins)
			fill_boot_id(buffer.data(), static_cast<size_t>(got), boot);
		begins = false;
		for (ssize_t done = 0; done < got;) {
			const ssize_t put =
				write(to, buffer.data() + done, static_cast<size_t>(got - done));

			if (put < 0 && errno != EINTR)
				return Status::error("no memory for a copy of the session: {}",
						     strerror(errno));
			done += std::max<ssize_t>(put, 0);
		}
	}
}

Status copy_session(std::string &path, std::string &phrase)
{
	std::string state;
	bool there = false;
	Control control;
	Status status = control.open(Control::usual_debugfs);

	if (status.ok())
		status = control.state(&state);
	if (status.ok() && state == "idle")
		return Status::error("no session was started");
	if (status.ok())
		status = has_snapshot(control, &there);
	if (status.ok() && !there)
		status = take_snapshot(control);
	const int to = status.ok() ? memfd_create("session", 0) : -1;
	if (status.ok() && to < 0)
		status = Status::error("no memory for a copy of the session: {}", strerror(errno));
	if (status.ok())
		status = copy_snapshot(control, to);
	// Only this program reads the snapshot, and it would keep a trigger from taking
	// another one.
	if (!there && to >= 0)
		(void)discard_snapshot(control);
	path = fmt::format("/dev/fd/{}", to);
	phrase = there              ? fmt::format("the snapshot of the {} session",
                                     state == "running" ? "running" : "last") :
		 state == "running" ? "the running session, as far as its channel still holds it" :
				      "the last session, as far as its channel still holds it";
	return status;
}

} // namespace grtrace
