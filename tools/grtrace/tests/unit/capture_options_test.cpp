// SPDX-License-Identifier: GPL-2.0
#include "capture_options.h"

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

} // namespace

TEST(CaptureOptions, DefaultsAreBlktraces)
{
	const CaptureOptions options = parse(Word::record, {});

	EXPECT_EQ(options.debugfs, "/sys/kernel/debug");
	EXPECT_EQ(options.subbuf_kib, 512u);
	EXPECT_EQ(options.n_subbufs, 4u);
	EXPECT_EQ(options.seconds, 0u);
	EXPECT_TRUE(options.devices.empty());
	EXPECT_FALSE(options.type_mask);
	EXPECT_FALSE(options.to_stdout());
}

TEST(CaptureOptions, EveryWayToGiveAnArgument)
{
	EXPECT_EQ(parse(Word::record, { "-b", "8" }).subbuf_kib, 8u);
	EXPECT_EQ(parse(Word::record, { "-b8" }).subbuf_kib, 8u);
	EXPECT_EQ(parse(Word::record, { "--buffer-size", "8" }).subbuf_kib, 8u);
	EXPECT_EQ(parse(Word::record, { "--buffer-size=8" }).subbuf_kib, 8u);
	EXPECT_EQ(parse(Word::record, { "-o-" }).output, "-");
}

TEST(CaptureOptions, LettersInOneWord)
{
	const CaptureOptions options = parse(Word::record, { "-kw5" });

	EXPECT_TRUE(options.kill);
	EXPECT_EQ(options.seconds, 5u);
}

TEST(CaptureOptions, DevicesByOptionAndByPosition)
{
	const CaptureOptions options = parse(
		Word::record, { "-d", "card0", "card1", "-d/dev/dri/card2" });

	EXPECT_EQ(options.devices,
		  (Words{ "card0", "card1", "/dev/dri/card2" }));
}

TEST(CaptureOptions, MasksAddUpAndTakeEverySpelling)
{
	const uint64_t submit = 1 << 1, commit = 1 << 5, wait = 1 << 11;

	EXPECT_EQ(parse(Word::record, { "-a", "Q", "-a", "commit" }).type_mask,
		  submit | commit);
	EXPECT_EQ(parse(Word::record, { "-aGRTRACE_SUBMIT,we" }).type_mask,
		  submit | wait);
	EXPECT_EQ(parse(Word::record, { "-A", "fedcba9876543210" }).type_mask,
		  0xfedcba9876543210u);
	EXPECT_EQ(parse(Word::record, { "-A0xff" }).type_mask, 0xffu);
	EXPECT_EQ(parse(Word::record, { "--engine=copy,render" }).engine_mask,
		  0xau);
	EXPECT_EQ(parse(Word::record, { "--engine", "0x7f" }).engine_mask,
		  0x7fu);
}

TEST(CaptureOptions, WhatIsNoMask)
{
	EXPECT_NE(refuse(Word::record, { "-a", "m" }).find("no event"),
		  std::string::npos);
	EXPECT_NE(refuse(Word::record, { "-A", "1fedcba9876543210" })
			  .find("16 hex digits"),
		  std::string::npos);
	EXPECT_NE(refuse(Word::record, { "-A", "0" }).find("nothing"),
		  std::string::npos);
	EXPECT_NE(refuse(Word::record, { "--engine", "GPU" })
			  .find("no engine class"),
		  std::string::npos);
}

TEST(CaptureOptions, LimitsOfNumbers)
{
	EXPECT_EQ(parse(Word::record, { "-b", "4" }).subbuf_kib, 4u);
	EXPECT_EQ(parse(Word::record, { "-b", "16384" }).subbuf_kib, 16384u);
	EXPECT_EQ(parse(Word::record, { "-n", "2" }).n_subbufs, 2u);
	EXPECT_EQ(parse(Word::record, { "-n", "1024" }).n_subbufs, 1024u);
	refuse(Word::record, { "-b", "0" });
	refuse(Word::record, { "-b", "16388" });
	refuse(Word::record, { "-b", "5" });
	refuse(Word::record, { "-n", "1" });
	refuse(Word::record, { "-n", "1025" });
	refuse(Word::record, { "-w", "0" });
	refuse(Word::record, { "-w", "99999999999999999999" });
	refuse(Word::record, { "--ring", "4294967296" });
}

TEST(CaptureOptions, ErrorsNameTheOptionAsItWasTyped)
{
	EXPECT_EQ(refuse(Word::record, { "-n", "x" }),
		  "-n: 'x' is not 2 to 1024");
	EXPECT_EQ(refuse(Word::record, { "--num-sub-buffers=x" }),
		  "--num-sub-buffers: 'x' is not 2 to 1024");
	EXPECT_EQ(refuse(Word::record, { "-w" }), "-w needs an argument: S");
	EXPECT_EQ(refuse(Word::record, { "--kill=1" }),
		  "--kill takes no argument");
	EXPECT_EQ(refuse(Word::record, { "-x" }), "unknown option -x");
	EXPECT_EQ(refuse(Word::record, { "-o", "" }),
		  "-o: its argument is empty");
}

TEST(CaptureOptions, CommandKeepsItsOwnOptions)
{
	const CaptureOptions options =
		parse(Word::record, { "-w", "1", "--", "ls", "-w", "--", "x" });

	EXPECT_EQ(options.seconds, 1u);
	EXPECT_EQ(options.command, (Words{ "ls", "-w", "--", "x" }));
}

TEST(CaptureOptions, WordsTakeTheirOwnOptionsOnly)
{
	EXPECT_TRUE(parse(Word::status, { "--json" }).json);
	EXPECT_EQ(refuse(Word::record, { "--json" }), "unknown option --json");
	EXPECT_EQ(refuse(Word::stop, { "-w", "1" }), "unknown option -w");
	EXPECT_EQ(parse(Word::stop, { "-o", "x" }).output, "x");
	EXPECT_EQ(refuse(Word::status, { "card0" }),
		  "what is 'card0'? status takes only options");
	EXPECT_EQ(parse(Word::config, { "a=1", "b=2" }).arguments,
		  (Words{ "a=1", "b=2" }));
	EXPECT_EQ(parse(Word::msg, { "--", "-w" }).arguments, (Words{ "-w" }));
}

TEST(CaptureOptions, NetworkIsNamedAndRefused)
{
	for (const char *option : { "-l", "-hx", "-p1", "--listen" })
		EXPECT_NE(
			refuse(Word::record, { option }).find("not there yet"),
			std::string::npos);
}

TEST(CaptureOptions, HelpTellsEveryOptionOfTheWord)
{
	const std::string record = capture_help(Word::record);

	for (const char *option :
	     { "-d, --dev DEV", "-I,", "-a,", "-A,", "-r,", "-o,", "-D,", "-k,",
	       "-w,", "-b,", "-n,", "-l,", "-h,", "-p,", "-v,", "--strict" })
		EXPECT_NE(record.find(option), std::string::npos) << option;
	EXPECT_EQ(capture_help(Word::status).find("--dev"), std::string::npos);
}

} // namespace grtrace
