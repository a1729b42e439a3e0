// SPDX-License-Identifier: GPL-2.0
#include "drive/control/config_keys.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace grtrace {

namespace {

Status check(const std::string &text)
{
	const size_t middle = text.find('=');

	return check_value(*find_config_key(text.substr(0, middle)), text.substr(middle + 1));
}

// The result of a setting, or the sentence about it.
std::string parsed(const std::string &text)
{
	const size_t middle = text.find('=');
	const ConfigKey &key = *find_config_key(text.substr(0, middle));
	const Status status = check(text);

	return status.ok() ? kernel_value(key, text.substr(middle + 1)) :
			     text + ": " + status.sentence();
}

bool is_default(const char *name, const char *value)
{
	return grtrace::is_default(*find_config_key(name), value);
}

} // namespace

TEST(ConfigKeys, EveryDefaultIsAValueOfItsKey)
{
	for (const ConfigKey &key : config_keys()) {
		EXPECT_TRUE(check_value(key, key.standard).ok()) << key.name;
		EXPECT_TRUE(grtrace::is_default(key, key.standard)) << key.name;
	}
	EXPECT_EQ(config_keys().size(), 29u);
}

TEST(ConfigKeys, SlipsAreNamedWithRangeAndMeaning)
{
	EXPECT_EQ(parsed("sample=0"), "sample=0: 0 is out of range: give sample 1 to 1000000 "
				      "(record one job of this many; 1: every job)");
	EXPECT_EQ(parsed("sample="), "sample=: there is no value: give sample "
				     "1 to 1000000 (record one job of this many; "
				     "1: every job)");
	EXPECT_EQ(parsed("burst=-1").substr(0, 27), "burst=-1: '-1' has a sign: ");
	EXPECT_EQ(parsed("burst=1k").substr(0, 45),
		  "burst=1k: '1k' is not a number of up to 64 bi");
	EXPECT_EQ(parsed("subbuf_size=5000").substr(0, 51),
		  "subbuf_size=5000: 5000 is not a multiple of 4096: g");
	EXPECT_EQ(parsed("mode=often"),
		  "mode=often: 'often' is not one of its values: give mode stop, "
		  "overwrite (full channel: lose the newest, or overwrite the "
		  "oldest)");
	EXPECT_EQ(parsed("snapshot_on=error,fire").substr(0, 56),
		  "snapshot_on=error,fire: 'fire' is not one of its values:");
	EXPECT_EQ(parsed("filter_device=a,,b").substr(0, 36),
		  "filter_device=a,,b: a name is empty:");
	EXPECT_EQ(parsed("filter_device=a,all").substr(0, 67),
		  "filter_device=a,all: all cannot be combined with other names: give ");
	EXPECT_EQ(parsed("filter_device=0123456789012345678901234567890"),
		  "0123456789012345678901234567890");
	EXPECT_NE(parsed("filter_device=0123456789012345678901234567890x")
			  .find("longer than 31 bytes"),
		  std::string::npos);
}

TEST(ConfigKeys, RangesEndWhereTheKernelsDo)
{
	struct {
		const char *good;
		const char *bad;
	} edges[] = {
		{"subbuf_size=16777216", "subbuf_size=16781312"},
		{"n_subbufs=2", "n_subbufs=1"},
		{"n_subbufs=1024", "n_subbufs=1025"},
		{"filter_ring_id=4294967295", "filter_ring_id=4294967296"},
		{"sample=1000000", "sample=1000001"},
		{"max_events_per_sec=100000000", "max_events_per_sec=100000001"},
		{"rate_limiter_mode=0", "rate_limiter_mode=2"},
		{"backpressure_threshold=100", "backpressure_threshold=101"},
		{"slow_exec_us=3600000000", "slow_exec_us=3600000001"},
		{"watch_ctx_add=18446744073709551615", "watch_ctx_add=18446744073709551616"},
		{"filter_type_mask=0xffffffffffffffff", "filter_type_mask=0x1ffffffffffffffff"},
	};

	for (const auto &edge : edges) {
		EXPECT_TRUE(check(edge.good).ok()) << edge.good;
		EXPECT_FALSE(check(edge.bad).ok()) << edge.bad;
	}
}

TEST(ConfigKeys, AListHasSixtyFour)
{
	std::string list = "watch_pid_add=1";

	for (int i = 2; i <= 64; i++)
		list += ",7";
	EXPECT_EQ(parsed(list), list.substr(14));
	EXPECT_NE(parsed(list + ",7").find("65 values are too many: the list holds 64"),
		  std::string::npos);
	EXPECT_NE(parsed("watch_pid_add=1,x").find("'x' is not a number"), std::string::npos);
	EXPECT_EQ(parsed("watch_pid_add=none"), "none");
}

TEST(ConfigKeys, NumbersAreReadAsTheKernelDoes)
{
	uint64_t number;

	ASSERT_TRUE(parse_config_number("0x1F", &number));
	EXPECT_EQ(number, 31u);
	ASSERT_TRUE(parse_config_number("017", &number));
	EXPECT_EQ(number, 15u);
	ASSERT_TRUE(parse_config_number("0", &number));
	EXPECT_EQ(number, 0u);
	for (const char *bad : {"", "0x", "08", "+1", "-1", "1 ", "1,2"})
		EXPECT_FALSE(parse_config_number(bad, &number)) << bad;
}

TEST(ConfigKeys, DefaultsHoweverTheyAreWritten)
{
	EXPECT_TRUE(is_default("filter_type_mask", "0xffffffffffffffff"));
	EXPECT_TRUE(is_default("filter_type_mask", "0xfffe"));
	EXPECT_FALSE(is_default("filter_type_mask", "0xfffc"));
	// No session records ioctls.
	EXPECT_FALSE(is_default("filter_type_mask", "0x1000000007ffe"));
	EXPECT_TRUE(is_default("filter_engine_mask", "0x7f"));
	EXPECT_FALSE(is_default("filter_ring_mask", "0x7f"));
	EXPECT_TRUE(is_default("subbuf_size", "0x80000"));
	EXPECT_FALSE(is_default("sample", "2"));
	EXPECT_FALSE(is_default("mode", "overwrite"));
	EXPECT_EQ(parsed("filter_ring_mask=all"), "0xffffffffffffffff");
}

TEST(ConfigKeys, RefusalNamesKeyValueAndWhatIsAllowed)
{
	EXPECT_EQ(explain_refusal({{"mode", "often"}}, EINVAL, "mode=stop\n"),
		  "the kernel refused 'mode=often': not a value of this key "
		  "(EINVAL)\n  mode: stop, overwrite\nnothing was changed");
	EXPECT_EQ(explain_refusal({{"mood", "x"}}, EINVAL, "mode=stop\nlevel=off\n"),
		  "the kernel refused 'mood=x': not a value of this key "
		  "(EINVAL)\n  mood: unknown key; there are: mode, level\n"
		  "nothing was changed");
}

TEST(ConfigKeys, RangeNamesWhatIsOutOfIt)
{
	const std::string one =
		explain_refusal({{"subbuf_size", "4096"}, {"n_subbufs", "1"}}, ERANGE, "");
	const std::string both =
		explain_refusal({{"subbuf_size", "16777216"}, {"n_subbufs", "1024"}}, ERANGE, "");

	EXPECT_EQ(one.find("\n  subbuf_size"), std::string::npos);
	EXPECT_NE(one.find("\n  n_subbufs: 2 to 1024"), std::string::npos);
	EXPECT_NE(both.find("subbuf_size x n_subbufs is more"), std::string::npos);
}

TEST(ConfigKeys, BusyNamesOnlyKeysThatMustWait)
{
	const std::string text =
		explain_refusal({{"filter_ring_id", "1"}, {"clock", "boot"}}, EBUSY, "");

	EXPECT_NE(text.find("stop the session first (grtrace stop)"), std::string::npos);
	EXPECT_NE(text.find("\n  clock\n"), std::string::npos);
	EXPECT_EQ(text.find("\n  filter_ring_id"), std::string::npos);
}

TEST(ConfigKeys, ManySettingsAreNotRepeated)
{
	const std::vector<NamedText> many(9, {"n_subbufs", "4"});

	EXPECT_EQ(explain_refusal(many, ENOMEM, ""),
		  "the kernel refused 9 settings: the kernel has no memory for "
		  "it: ask for less (ENOMEM)\nnothing was changed");
}

TEST(ConfigKeys, TooManyNamesTheLists)
{
	const std::string text =
		explain_refusal({{"sample", "2"}, {"watch_pid_add", "7"}}, E2BIG, "");

	EXPECT_NE(text.find("a list has 64 entries"), std::string::npos);
	EXPECT_NE(text.find("\n  watch_pid_add:"), std::string::npos);
	EXPECT_EQ(text.find("\n  sample"), std::string::npos);
}

} // namespace grtrace
