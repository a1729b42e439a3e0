// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>

namespace grtrace {

class Control;
struct CaptureOptions;

// While a session is recorded, checks now and then whether a trigger has taken a
// snapshot. If so, grtrace-snapshot saves it: the first as <base>.snapshot, the
// next as <base>.snapshot.2, up to @most. If another snapshot may follow, a
// saved snapshot is discarded, because triggers are ignored while a snapshot is
// held.
class SnapshotWatch {
public:
	// @options: debugfs, where the control was opened, and facts of the host
	SnapshotWatch(const Control &control, const CaptureOptions &options, std::string base,
		      unsigned int most)
		: control_(control), options_(options), base_(std::move(base)), most_(most)
	{
	}

	// Returns false if a snapshot could not be saved; the reason was
	// printed.
	bool look();

private:
	Status is_new(bool *found);
	std::string next_name() const;
	bool save() const;

	const Control &control_;
	const CaptureOptions &options_;
	const std::string base_;
	const unsigned int most_;
	unsigned int saved_ = 0;
	uint64_t seen_ = 0; // the kernel's count of snapshots
};

} // namespace grtrace
