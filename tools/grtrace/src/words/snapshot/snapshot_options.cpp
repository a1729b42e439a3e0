// SPDX-License-Identifier: GPL-2.0
#include "words/snapshot/snapshot_options.h"

#include "lib/options/word_options.h"
#include "words/session/session_options.h"

namespace grtrace {

using Word = WordOption<SnapshotOptions>;

static const Word table[] = {
	option_group<SnapshotOptions>("Options"),
	{'o', "output", "BASE", "write BASE.grtrace.<cpu>; -: one stream to stdout",
	 &SnapshotOptions::output},
	{'D', "output-dir", "DIR", "write into DIR, which is created if necessary",
	 &SnapshotOptions::directory},
	{0, "take", nullptr, "take a new snapshot, even if there is one", &SnapshotOptions::take},
	{0, "discard", nullptr,
	 "free the snapshot (after saving it), so that a trigger can take another",
	 &SnapshotOptions::discard},
	{0, "host", "NAME", "name of the machine in the capture; by default its own; -: none",
	 [](SnapshotOptions &o, const std::string &text) {
		 o.host.host = text == "-" ? "" : text;
		 return Status();
	 }},
	{0, "tag", "KEY=VALUE", "keep this in the capture, as in mesa=26.1; repeatable",
	 [](SnapshotOptions &o, const std::string &text) { return o.host.add_tag(text); }},
	{0, "watch", "N", nullptr,
	 WordOption<SnapshotOptions>::Number{&SnapshotOptions::watch, 1, UINT64_MAX}},
	relay_option<SnapshotOptions>,
	version_option<SnapshotOptions>,
	blktrace_version_option<SnapshotOptions>,
	help_option<SnapshotOptions>,
};

std::string SnapshotOptions::help_text()
{
	return fmt::format(
		"grtrace snapshot freezes what the channel holds now; the session continues.\n"
		"\n"
		"Usage: grtrace snapshot [--take] [-o BASE|-] [-D DIR] [--discard]\n"
		"\n"
		"{}\n"
		"With -o or -D it saves the snapshot as BASE.grtrace.<cpu> for grparse: the\n"
		"existing one, which a trigger took, or else a new one.\n"
		"\n"
		"{}",
		describe_options(table),
		describe_end({{"grtrace snapshot -o hang", "save the snapshot"},
			      {"grtrace snapshot -o hang --discard",
			       "and let the next trigger take one"}},
			     {{"0", "done"}, {"1", "an error"}, {"2", "wrong usage"}}));
}

Status SnapshotOptions::parse(int argc, char **argv)
{
	return read_options(table, argc, argv, *this, [](const GivenOption &given) {
		return Status::error("what is '{}'? snapshot takes only options", given.argument);
	});
}

} // namespace grtrace
