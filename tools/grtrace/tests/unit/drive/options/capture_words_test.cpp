// SPDX-License-Identifier: GPL-2.0
#include "drive/options/capture_words.h"

#include "drive/control/config_keys.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

using Words = std::vector<std::string>;

CaptureOptions parse(Word word, const Words &args)
{
	CaptureOptions options;
	Status status = parse_capture_options(word, args, &options);

	EXPECT_TRUE(status.ok()) << status.sentence();
	return options;
}

std::string refuse(Word word, const Words &args)
{
	CaptureOptions options;
	Status status = parse_capture_options(word, args, &options);

	EXPECT_FALSE(status.ok());
	return status.sentence();
}

// The kernel's settings that record's options make.
std::string settings(const Words &args)
{
	return join_settings(parse(Word::record, args).settings, ' ');
}

} // namespace

TEST(CaptureOptions, DefaultsAreBlktraces)
{
	const CaptureOptions options = parse(Word::record, {});

	EXPECT_EQ(options.debugfs, "/sys/kernel/debug");
	EXPECT_TRUE(options.settings.empty());
	EXPECT_EQ(options.seconds, 0u);
	EXPECT_TRUE(options.devices.empty());
	EXPECT_FALSE(options.type_mask);
	EXPECT_FALSE(options.to_stdout());
}

TEST(CaptureOptions, EveryWayToGiveAnArgument)
{
	for (const Words &words : {Words{"-b", "8"}, Words{"-b8"}, Words{"--buffer-size", "8"},
				   Words{"--buffer-size=8"}})
		EXPECT_EQ(settings(words), "subbuf_size=8192");
	EXPECT_EQ(parse(Word::record, {"-o-"}).output, "-");
}

TEST(CaptureOptions, LettersInOneWord)
{
	const CaptureOptions options = parse(Word::record, {"-kw5"});

	EXPECT_TRUE(options.kill);
	EXPECT_EQ(options.seconds, 5u);
}

TEST(CaptureOptions, DevicesByOptionAndByPosition)
{
	const CaptureOptions options =
		parse(Word::record, {"-d", "card0", "card1", "-d/dev/dri/card2"});

	EXPECT_EQ(options.devices, (Words{"card0", "card1", "/dev/dri/card2"}));
}

TEST(CaptureOptions, MasksAddUpAndTakeEverySpelling)
{
	const uint64_t submit = 1 << 1, commit = 1 << 5, wait = 1 << 11;

	EXPECT_EQ(parse(Word::record, {"-a", "Q", "-a", "commit"}).type_mask, submit | commit);
	EXPECT_EQ(parse(Word::record, {"-aGRTRACE_SUBMIT,we"}).type_mask, submit | wait);
	EXPECT_EQ(parse(Word::record, {"-A", "fedcba9876543210"}).type_mask, 0xfedcba9876543210u);
	EXPECT_EQ(parse(Word::record, {"-A0xff"}).type_mask, 0xffu);
	EXPECT_EQ(settings({"--engine=copy,render"}), "filter_engine_mask=0xa");
	EXPECT_EQ(settings({"--engine-mask", "0x7f"}), "filter_engine_mask=0x7f");
}

TEST(CaptureOptions, FiltersAndLimitsAreKeysOfTheKernel)
{
	EXPECT_EQ(settings({"--level", "normal"}), "level=normal");
	EXPECT_EQ(settings({"--deny"}), "watch_allow_mode=0");
	EXPECT_EQ(settings({"--combine", "and"}), "watch_combine=and");
	EXPECT_EQ(settings({"--sample=16"}), "sample=16");
	EXPECT_EQ(settings({"--adaptive"}), "adaptive_sampling=1");
	EXPECT_EQ(settings({"--rate", "1000", "--burst", "50"}),
		  "max_events_per_sec=1000 burst=50");
	EXPECT_EQ(settings({"--limiter", "window"}), "rate_limiter_mode=0");
	EXPECT_EQ(settings({"--limiter", "bucket"}), "rate_limiter_mode=1");
	EXPECT_EQ(settings({"--backpressure", "90"}), "backpressure_threshold=90");
	EXPECT_EQ(settings({"--slow-queue", "500", "--slow-exec", "2000"}),
		  "slow_queue_us=500 slow_exec_us=2000");
	EXPECT_EQ(settings({"--snapshot-on", "slow_exec,error"}), "snapshot_on=slow_exec,error");
	EXPECT_EQ(settings({"--clock", "boot"}), "clock=boot");
	EXPECT_EQ(settings({"--profile"}), "profile=1");
	EXPECT_EQ(settings({"--mode", "overwrite", "--clock", "boot"}),
		  "mode=overwrite clock=boot");
}

TEST(CaptureOptions, TheLastOfAKeyCounts)
{
	EXPECT_EQ(settings({"--sample", "4", "--rate", "9", "--sample", "8"}),
		  "max_events_per_sec=9 sample=8");
}

TEST(CaptureOptions, WhatTheKernelWouldRefuseIsRefusedHere)
{
	EXPECT_EQ(refuse(Word::record, {"--sample", "0"}),
		  "--sample: 0 is out of range: give sample 1 to 1000000 "
		  "(record one job of this many; 1: every job)");
	EXPECT_NE(refuse(Word::start, {"--rate", "-5"}).find("has a sign"), std::string::npos);
	EXPECT_NE(refuse(Word::record, {"--backpressure", "101"}).find("0 to 100"),
		  std::string::npos);
	EXPECT_EQ(refuse(Word::record, {"--limiter", "leaky"}),
		  "--limiter: 'leaky' is neither window nor bucket");
	EXPECT_NE(refuse(Word::record, {"--combine", "xor"}).find("or, and"), std::string::npos);
	refuse(Word::record, {"--snapshots", "0"});
	EXPECT_EQ(refuse(Word::start, {"--snapshots", "2"}),
		  "unknown option --snapshots (did you mean --snapshot-on?)");
}

TEST(CaptureOptions, ListsAddUp)
{
	const CaptureOptions options =
		parse(Word::record,
		      {"--ctx", "5,6", "--ctx=7", "--pid", "70", "--ring", "gfx,3", "--ring", "4"});

	EXPECT_EQ(options.contexts, (Words{"5", "6", "7"}));
	EXPECT_EQ(options.pids, (Words{"70"}));
	EXPECT_EQ(options.rings, (Words{"gfx", "3", "4"}));
	EXPECT_NE(refuse(Word::record, {"--ctx", "5,x"}).find("'x' is not a number"),
		  std::string::npos);
	EXPECT_NE(refuse(Word::record, {"--pid", "0"}).find("out of range"), std::string::npos);
	EXPECT_NE(refuse(Word::record, {"--ring", "gfx,"}).find("is empty"), std::string::npos);
}

TEST(CaptureOptions, AListHasSixtyFour)
{
	Words words;

	for (int i = 1; i <= 64; i++)
		words.insert(words.end(), {"--ctx", "7"});
	EXPECT_EQ(parse(Word::record, words).contexts.size(), 64u);
	words.insert(words.end(), {"--ctx", "8"});
	EXPECT_NE(refuse(Word::record, words).find("65 values are too many"), std::string::npos);
}

TEST(CaptureOptions, WhatIsNoMask)
{
	EXPECT_NE(refuse(Word::record, {"-a", "m"}).find("not an event"), std::string::npos);
	EXPECT_NE(refuse(Word::record, {"-A", "1fedcba9876543210"}).find("16 hex digits"),
		  std::string::npos);
	EXPECT_NE(refuse(Word::record, {"-A", "0"}).find("nothing"), std::string::npos);
	EXPECT_NE(refuse(Word::record, {"--engine", "GPU"}).find("not an engine class"),
		  std::string::npos);
}

TEST(CaptureOptions, LimitsOfNumbers)
{
	EXPECT_EQ(settings({"-b", "4"}), "subbuf_size=4096");
	EXPECT_EQ(settings({"-b", "16384"}), "subbuf_size=16777216");
	EXPECT_EQ(settings({"-n", "2"}), "n_subbufs=2");
	EXPECT_EQ(settings({"-n", "1024"}), "n_subbufs=1024");
	refuse(Word::record, {"-b", "0"});
	refuse(Word::record, {"-b", "16388"});
	refuse(Word::record, {"-b", "5"});
	refuse(Word::record, {"-n", "1"});
	refuse(Word::record, {"-n", "1025"});
	refuse(Word::record, {"-w", "0"});
	refuse(Word::record, {"-w", "99999999999999999999"});
	refuse(Word::record, {"--ring", "4294967296"});
}

TEST(CaptureOptions, ErrorsNameTheOptionAsItWasTyped)
{
	EXPECT_EQ(refuse(Word::record, {"-n", "x"}),
		  "-n: 'x' is not a number of up to 64 bits: give n_subbufs 2 to "
		  "1024 (sub-buffers per CPU)");
	EXPECT_EQ(refuse(Word::record, {"--num-sub-buffers=x"}),
		  "--num-sub-buffers: 'x' is not a number of up to 64 bits: give "
		  "n_subbufs 2 to 1024 (sub-buffers per CPU)");
	EXPECT_EQ(refuse(Word::record, {"-w"}), "-w needs an argument: S");
	EXPECT_EQ(refuse(Word::record, {"--kill=1"}), "--kill takes no argument");
	EXPECT_EQ(refuse(Word::record, {"-x"}), "unknown option -x");
	EXPECT_EQ(refuse(Word::record, {"-o", ""}), "-o: its argument is empty");
}

TEST(CaptureOptions, CommandKeepsItsOwnOptions)
{
	const CaptureOptions options =
		parse(Word::record, {"-w", "1", "--", "ls", "-w", "--", "x"});

	EXPECT_EQ(options.seconds, 1u);
	EXPECT_EQ(options.command, (Words{"ls", "-w", "--", "x"}));
}

TEST(CaptureOptions, WordsTakeTheirOwnOptionsOnly)
{
	EXPECT_EQ(refuse(Word::record, {"--json"}), "unknown option --json");
	EXPECT_EQ(refuse(Word::stop, {"-w", "1"}), "unknown option -w");
	EXPECT_EQ(parse(Word::stop, {"-o", "x"}).output, "x");
	EXPECT_EQ(refuse(Word::stop, {"card0"}), "what is 'card0'? stop takes only options");
	EXPECT_EQ(parse(Word::msg, {"--", "-w"}).arguments, (Words{"-w"}));
}

TEST(CaptureOptions, NetworkIsNamedAndRefused)
{
	for (const char *option : {"-l", "-hx", "-p1", "--listen"})
		EXPECT_NE(refuse(Word::record, {option}).find("not there yet"), std::string::npos);
}

TEST(CaptureOptions, HelpHasWhatTheWordHas)
{
	const std::string record = capture_help(Word::record);

	for (const char *option :
	     {"-d, --dev DEV", "-I,", "-a,", "-A,", "-r,", "-o,", "-D,", "-k,", "-w,", "-b,", "-n,",
	      "-v,", "--strict", "3  records", "\nOptions:\n", "\nThe channel:\n", "\nExamples:\n"})
		EXPECT_NE(record.find(option), std::string::npos) << option;
	for (const char *option : {"-l,", "-h,", "-p,"})
		EXPECT_EQ(record.find(option), std::string::npos) << option;
	for (const char *text : {"--dev", "--strict", "The channel:"})
		EXPECT_EQ(capture_help(Word::stop).find(text), std::string::npos) << text;
}

} // namespace grtrace
