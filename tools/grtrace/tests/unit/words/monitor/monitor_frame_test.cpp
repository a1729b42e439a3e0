// SPDX-License-Identifier: GPL-2.0
//
// Tables, options, and events found by their names in the bytes of a buffer.
#include "unit/words/monitor/monitor_events.h"

#include <cstring>

#include "words/monitor/monitor_options.h"
#include "words/monitor/monitor_probes.h"

namespace grtrace {

namespace {

MonitorTable a_table()
{
	return {"rings",
		{"ring", "jobs", "wait_us"},
		{{"gfx", 12u, 1.25}, {"a,\"b\"\x1b", 3u, MonitorCell()}}};
}

// As the kernel describes drm_sched_job_done, in another order of fields.
constexpr const char *format =
	"name: drm_sched_job_done\nID: 1234\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\t"
	"signed:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 fence_seqno;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 fence_context;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"fence=%llu:%llu\", REC->fence_context, "
	"REC->fence_seqno\n";

} // namespace

TEST(MonitorTable, as_text)
{
	fmt::memory_buffer out;

	print_table(out, a_table());
	EXPECT_EQ(fmt::to_string(out), "ring    jobs  wait_us\n"
				       "gfx       12      1.2\n"
				       "a,\"b\"?     3       NA\n");
}

TEST(MonitorTable, as_csv)
{
	fmt::memory_buffer out;

	print_table_csv(out, a_table(), 1.5, true);
	EXPECT_EQ(fmt::to_string(out), "time,table,ring,jobs,wait_us\n"
				       "1.500000,rings,gfx,12,1.250\n"
				       "1.500000,rings,\"a,\"\"b\"\"\x1b\",3,"
				       "NA\n");
}

TEST(MonitorTable, as_json)
{
	fmt::memory_buffer out;

	print_table_json(out, a_table(), 1.5);
	EXPECT_EQ(fmt::to_string(out), "{\"time\":1.500,\"table\":\"rings\",\"ring\":\"gfx\","
				       "\"jobs\":12,\"wait_us\":1.250}\n"
				       "{\"time\":1.500,\"table\":\"rings\",\"ring\":\"a,\\\"b\\\""
				       "\\u001b\",\"jobs\":3,\"wait_us\":null}\n");
}

TEST(MonitorProbes, finds_fields_by_name)
{
	const auto specs = find_monitor("sched")->probes;
	MonitorProbes probes;
	uint8_t data[24] = {};
	uint32_t pid;

	ASSERT_TRUE(probes.parse(2, specs[2], format));
	data[0] = 1234 & 0xff;
	data[1] = 1234 >> 8;
	data[4] = 77;
	data[8] = 9; // seqno
	data[16] = 5; // ctx
	const AttachedProbe *probe = probes.find(data, &pid);
	ASSERT_NE(probe, nullptr);
	EXPECT_EQ(pid, 77u);
	EXPECT_EQ(probe->index(), 2u);
	EXPECT_EQ(probe->number(0), 5u);
	EXPECT_EQ(probe->number(1), 9u);
	EXPECT_FALSE(probe->has(2));
	EXPECT_EQ(probe->text(2), "");
	// Shorter than its format says: nothing is read beyond.
	EXPECT_EQ(probes.find({data, 20}, &pid)->number(0), 0u);
	data[0]++;
	EXPECT_EQ(probes.find(data, &pid), nullptr);
}

// Each has what the frame shows of it, and what stands for another is there.
TEST(MonitorKinds, are_whole)
{
	for (const MonitorKind &kind : monitor_kinds()) {
		EXPECT_EQ(find_monitor(kind.name), &kind);
		EXPECT_FALSE(kind.probes.empty()) << kind.name;
		for (const ProbeSpec &spec : kind.probes) {
			bool found = !spec.instead;

			for (const ProbeSpec &other : kind.probes)
				found = found || !strcmp(other.event, spec.instead);
			EXPECT_TRUE(found) << spec.event;
			EXPECT_TRUE(spec.without && *spec.without);
		}
	}
	EXPECT_EQ(find_monitor("nothing"), nullptr);
}

static Status parsed(MonitorOptions &options, std::vector<const char *> words)
{
	words.insert(words.begin(), "monitor");
	return options.parse(static_cast<int>(words.size()), const_cast<char **>(words.data()));
}

TEST(MonitorOptions, are_taken)
{
	MonitorOptions options;

	ASSERT_TRUE(parsed(options, {"sched", "-i", "0.5", "-w", "3", "-p1,2", "--ring", "gfx,copy",
				     "--json", "-b64", "--", "a", "-v"})
			    .ok());
	EXPECT_STREQ(options.kind->name, "sched");
	EXPECT_EQ(options.interval_ms, 500u);
	EXPECT_EQ(options.seconds, 3u);
	EXPECT_EQ(options.pids, (std::vector<uint32_t>{1, 2}));
	EXPECT_EQ(options.rings, (std::vector<std::string>{"gfx", "copy"}));
	EXPECT_EQ(options.form, MonitorForm::json);
	EXPECT_FALSE(options.events);
	EXPECT_EQ(options.command, (std::vector<std::string>{"a", "-v"}));
}

TEST(MonitorOptions, are_refused)
{
	const struct {
		std::vector<const char *> words;
		const char *sentence;
	} all[] = {
		{{}, "name a monitor; see --help"},
		{{"nothing"}, "'nothing' is not a monitor; see --help"},
		{{"sched", "vblank"}, "'vblank': a command comes after --; see --help"},
		{{"sched", "-i0"}, "-i: '0' is not 0.1 to 86400 seconds"},
		{{"sched", "-inan"}, "-i: 'nan' is not 0.1 to 86400 seconds"},
		{{"sched", "-i", "1s"}, "-i: '1s' is not 0.1 to 86400 seconds"},
		{{"sched", "-w0"}, "-w: '0' is not 1 to 2147483647 seconds"},
		{{"sched", "-p0"}, "-p: '0' is not a process"},
		{{"sched", "--csv", "--json"}, "choose one of --csv and --json"},
		{{"sched", "-v", "--summary"}, "-v and --summary: choose one"},
		{{"vblank", "--ring", "gfx"}, "--ring: vblank has no rings"},
		{{"sched", "-b1"}, "-b: '1' is not 32 to 1048576 KiB"},
	};

	for (const auto &[words, sentence] : all) {
		MonitorOptions options;

		EXPECT_EQ(parsed(options, words).sentence(), sentence);
	}
}

} // namespace grtrace
