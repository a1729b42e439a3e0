// SPDX-License-Identifier: GPL-2.0
#include "words/snapshot/snapshot_options.h"

#include "lib/options/word_options.h"
#include "words/session/session_options.h"

namespace grtrace {

using Word = WordOption<SnapshotOptions>;

static const Word table[] = {
	{'o', "output", "BASE", "write BASE.grtrace.<cpu>; -: one stream to stdout",
	 &SnapshotOptions::output},
	{'D', "output-dir", "DIR", "write into DIR, created if it is not there",
	 &SnapshotOptions::directory},
	{0, "take", nullptr, "take a new snapshot, even if one is there", &SnapshotOptions::take},
	{0, "discard", nullptr,
	 "free the snapshot (after saving it), so that a trigger can take another",
	 &SnapshotOptions::discard},
	{0, "triggered", nullptr, nullptr, &SnapshotOptions::triggered},
	relay_option<SnapshotOptions>,
	version_option<SnapshotOptions>,
	blktrace_version_option<SnapshotOptions>,
	help_option<SnapshotOptions>,
};

std::string SnapshotOptions::help_text()
{
	return fmt::format("Usage: grtrace snapshot [--take] [-o BASE|-] [-D DIR] [--discard]\n\n"
			   "Freeze what the channel holds now; the session continues. With -o\n"
			   "or -D, save the snapshot as BASE.grtrace.<cpu> for grparse: the\n"
			   "one that is there, as a trigger took it, or else a new one.\n\n"
			   "Options:\n{}\nExit: 0 done, 1 error, 2 usage.\n",
			   describe_options(table));
}

Status SnapshotOptions::parse(int argc, char **argv)
{
	return read_options(table, argc, argv, *this, [](const GivenOption &given) {
		return Status::error("what is '{}'? snapshot takes only options", given.argument);
	});
}

} // namespace grtrace
