// SPDX-License-Identifier: GPL-2.0
//
// The reason for a snapshot is in its metadata, which is read while the snapshot is saved.
#include "words/snapshot/save_snapshot.h"

#include "drive/control/control.h"
#include "format/boot_id.h"
#include "format/host_facts.h"
#include "words/frozen/snapshot.h"
#include "words/snapshot/packet_splitter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace grtrace {

namespace {

constexpr size_t piece = 1024 * 1024;

// Returns the reason in the metadata's line "snapshot <reason> <ts>". The line is after
// another one, or at the start of its record after zeros.
std::string reason_in(const std::string &tables)
{
	constexpr std::string_view word = "snapshot ";
	size_t at = tables.find(word);

	while (at != std::string::npos && at && tables[at - 1] != '\n' && tables[at - 1] != '\0')
		at = tables.find(word, at + 1);
	if (at == std::string::npos)
		return {};
	at += word.size();
	return tables.substr(at, tables.find_first_of(" \n", at) - at);
}

// The facts of the host come after the start of the description.
Status feed(PacketSplitter &splitter, const char *bytes, size_t size, const HostFacts &host)
{
	HostRecords records;

	if (!splitter.bytes())
		records = host_records(bytes, size, host.lines());
	Status status = splitter.feed(bytes, records.at);
	if (status.ok())
		status = splitter.feed(records.bytes.data(), records.bytes.size());
	if (status.ok())
		status = splitter.feed(bytes + records.at, size - records.at);
	return status;
}

} // namespace

Status save_snapshot(const Control &control, const std::string &base, const HostFacts &host,
		     Snapshot *snapshot)
{
	PacketSplitter splitter(base);
	// The description of the stream comes first, in one read.
	std::vector<char> buffer(piece);
	const BootId boot = read_boot_id();
	Fd file;
	Status status = open_snapshot(control, &file);

	while (status.ok()) {
		const ssize_t got = read(file.get(), buffer.data(), buffer.size());

		if (got == 0)
			break;
		if (got > 0 && !splitter.bytes())
			fill_boot_id(buffer.data(), got, boot);
		if (got > 0)
			status = feed(splitter, buffer.data(), got, host);
		else if (errno != EINTR)
			status = Status::error("{}/snapshot: {}", control.directory(),
					       strerror(errno));
	}
	if (status.ok() && !splitter.bytes())
		status = Status::error("there is no snapshot");
	if (status.ok())
		status = splitter.finish();
	snapshot->bytes = splitter.bytes();
	snapshot->reason = reason_in(splitter.tables());
	return status;
}

} // namespace grtrace
