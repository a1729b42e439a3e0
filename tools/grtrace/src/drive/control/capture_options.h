// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/device.h"
#include "drive/control/views.h"
#include "format/host_facts.h"
#include "lib/text/status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The options of a command line that drives a session. drive/options reads them.
namespace grtrace {

// One bit for each word of grtrace, so that an option can list the words that
// take it.
enum class Word : unsigned int {
	record = 1 << 0,
	start = 1 << 1,
	stop = 1 << 2,
	msg = 1 << 3,
};

struct CaptureOptions {
	std::vector<std::string> devices; // as typed; empty: all
	std::vector<std::string> device_files; // files that list devices
	std::vector<NamedText> settings; // options that are a key of config
	std::optional<uint64_t> type_mask;
	std::vector<std::string> rings; // ids or names; empty: the list does not change
	std::vector<std::string> contexts; // empty: the list does not change
	std::vector<std::string> pids; // empty: the list does not change
	std::string debugfs = "/sys/kernel/debug";
	std::string source; // record: relay, tracefs; empty: automatic
	std::string output; // base name; "-": stdout; empty: device
	std::string directory; // put before output names
	std::string user; // record: as whom the command runs; empty: who called sudo
	HostFacts host; // as it was given
	unsigned int seconds = 0; // 0: until the user stops it
	unsigned int snapshots = 0; // that a recording saves; 0: not given
	bool has_debugfs = false; // --debugfs was given
	bool sched = false; // from tracefs: when waiters sleep and wake up
	bool vblank = false; // from tracefs
	bool kill = false;
	bool unload = false; // stop: also unload the sources
	bool strict = false;
	bool help = false;
	bool version = false;
	std::vector<std::string> arguments; // msg: words of text
	std::vector<std::string> command; // after "--"

	bool to_stdout() const { return output == "-"; }
	// Adds the names of this machine's nodes, and its own unless another was given;
	// "-" gives it none.
	HostFacts host_facts() const
	{
		HostFacts facts = host;

		if (facts.host.empty())
			facts.host = machine_name();
		else if (facts.host == "-")
			facts.host.clear();
		facts.nodes = node_names();
		return facts;
	}
};

} // namespace grtrace
