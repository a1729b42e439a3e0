// SPDX-License-Identifier: GPL-2.0
//
// workload: a capture of simulated GPUs at work, as large as one likes.
//
//	workload [OPTION...] NAME		writes NAME.grtrace.<cpu>
//	workload [OPTION...] --stream FILE	writes one stream; "-" is stdout
//
// The same options give the same bytes. Prints how many records there are.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "synth.h"
#include "workload.h"

using namespace grtrace;

namespace {

struct Arguments {
	WorkloadOptions workload;
	std::string truth; // file, or empty
	std::string output;
	bool broken = false;
};

constexpr const char *usage_text =
	"usage: workload [OPTION...] NAME\n"
	"  --seed N              another workload (1)\n"
	"  --jobs N              submitted while it records (1000)\n"
	"  --warm N              submitted before (0)\n"
	"  --cpus N --devices N --rings N --processes N\n"
	"  --contexts N          of each process (2)\n"
	"  --out-of-order        rings execute several jobs at once\n"
	"  --shape random|steady\n"
	"  --no-start --no-commit  such records are never written\n"
	"  --recycle             ids of contexts are used again\n"
	"  --wrap                seqnos wrap\n"
	"  --reorder             times do not follow the order of gseq\n"
	"  --clients             DRM clients are told\n"
	"  --names               names of tasks are in each sub-buffer\n"
	"  --cut                 ends in the middle of the work\n"
	"  --fail N --hang N --endless N --depend N --preempt N --wait N\n"
	"                        so many jobs of 1000\n"
	"  --drop N              so many records of 1000 are lost\n"
	"  --overwrite N         so many sub-buffers of 1000 are overwritten\n"
	"  --subbuf N            bytes of a sub-buffer (65536)\n"
	"  --stream              one stream instead of a file for each CPU\n"
	"  --truth FILE          CSV of what really was\n";

class Parser {
public:
	Arguments parse(int argc, char **argv);

private:
	bool flag(std::string_view word);
	bool number(std::string_view word, const char *value);

	Arguments arguments_;
};

bool Parser::flag(std::string_view word)
{
	WorkloadOptions &w = arguments_.workload;

	if (word == "--out-of-order")
		w.queues = 3;
	else if (word == "--no-start")
		w.tells_start = false;
	else if (word == "--no-commit")
		w.tells_commit = false;
	else if (word == "--recycle")
		w.recycle = true;
	else if (word == "--wrap")
		w.wrap = true;
	else if (word == "--reorder")
		w.reorder = true;
	else if (word == "--clients")
		w.clients = true;
	else if (word == "--names")
		w.channels.names = true;
	else if (word == "--cut")
		w.drain = false;
	else if (word == "--stream")
		w.channels.stream = true;
	else
		return false;
	return true;
}

bool Parser::number(std::string_view word, const char *value)
{
	WorkloadOptions &w = arguments_.workload;
	const std::map<std::string_view, uint64_t *> wide = {
		{"--seed", &w.seed},
		{"--jobs", &w.jobs},
		{"--warm", &w.warm_jobs},
	};
	const std::map<std::string_view, uint32_t *> narrow = {
		{"--cpus", &w.channels.cpus},
		{"--devices", &w.devices},
		{"--rings", &w.rings},
		{"--processes", &w.processes},
		{"--contexts", &w.contexts},
		{"--fail", &w.fail_permille},
		{"--hang", &w.hang_permille},
		{"--endless", &w.endless_permille},
		{"--depend", &w.depend_permille},
		{"--preempt", &w.preempt_permille},
		{"--wait", &w.wait_permille},
		{"--drop", &w.channels.drop_permille},
		{"--overwrite", &w.channels.overwrite_permille},
		{"--subbuf", &w.channels.subbuf_size},
	};
	const char *end = value + strlen(value);

	if (auto it = wide.find(word); it != wide.end())
		return std::from_chars(value, end, *it->second).ptr == end;
	if (auto it = narrow.find(word); it != narrow.end())
		return std::from_chars(value, end, *it->second).ptr == end;
	return false;
}

Arguments Parser::parse(int argc, char **argv)
{
	WorkloadOptions &w = arguments_.workload;

	for (int i = 1; i < argc && !arguments_.broken; i++) {
		std::string_view word = argv[i];
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (flag(word))
			continue;
		if (word[0] != '-' || word == "-") {
			arguments_.broken = !arguments_.output.empty();
			arguments_.output = word;
			continue;
		}
		i++;
		if (word == "--truth" && *value)
			arguments_.truth = value;
		else if (word == "--shape" && !strcmp(value, "steady"))
			w.steady = true;
		else if (word != "--shape" || strcmp(value, "random"))
			arguments_.broken = !*value || !number(word, value);
	}
	if (arguments_.output.empty() || !w.channels.cpus || !w.devices || !w.rings ||
	    !w.processes || !w.contexts || w.channels.subbuf_size < 4096 ||
	    w.channels.subbuf_size % 8)
		arguments_.broken = true;
	return arguments_;
}

// The files of a capture, opened at their first bytes.
class Files {
public:
	Files(std::string name, bool stream) : name_(std::move(name)), stream_(stream) {}

	void write(uint32_t cpu, const uint8_t *bytes, size_t size)
	{
		FILE *&file = files_[stream_ ? 0 : cpu];

		if (!file)
			file = open(cpu);
		if (!file || fwrite(bytes, 1, size, file) != size)
			failed_ = true;
	}

	// False when something was not written.
	bool close()
	{
		for (auto &[cpu, file] : files_)
			if (file && fclose(file))
				failed_ = true;
		return !failed_;
	}

private:
	FILE *open(uint32_t cpu) const
	{
		if (name_ == "-")
			return stdout;
		if (stream_)
			return fopen(name_.c_str(), "w");
		return fopen(fmt::format("{}.grtrace.{}", name_, cpu).c_str(), "w");
	}

	std::string name_;
	bool stream_;
	bool failed_ = false;
	std::map<uint32_t, FILE *> files_;
};

void print_truth(FILE *file, const TrueJob &job)
{
	auto ns = [](uint64_t moment) {
		return moment == TrueJob::none ? std::string("NA") : fmt::format("{}", moment);
	};

	fmt::print(file, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:#x},{}\n", job.ctx,
		   job.seqno, job.ring, job.pid, ns(job.submit), ns(job.blocked), ns(job.pick),
		   ns(job.commit), ns(job.start), ns(job.end), ns(job.complete), job.wait_ns,
		   job.error, job.dependencies, int(job.preempted), job.recorded, job.client);
}

int run(const Arguments &arguments)
{
	const bool stream = arguments.workload.channels.stream;
	Files files(arguments.output, stream);
	FILE *truth = nullptr;
	Workload::Truth tell;

	if (!arguments.truth.empty()) {
		truth = fopen(arguments.truth.c_str(), "w");
		if (!truth)
			return 1;
		fmt::print(truth, "ctx,seqno,ring,pid,submit,blocked,pick,commit,start,"
				  "end,complete,wait_ns,error,dependencies,"
				  "preempted,recorded,client\n");
		tell = [&](const TrueJob &job) { print_truth(truth, job); };
	}

	Workload workload(
		arguments.workload,
		[&](uint32_t cpu, const uint8_t *bytes, size_t size) {
			files.write(cpu, bytes, size);
		},
		tell);
	Synth tables(true);
	if (!tables.parse(workload.tables()))
		return 1;
	for (const std::vector<uint8_t> &bytes : tables.streams())
		files.write(0, bytes.data(), bytes.size());
	workload.run();

	const Channels::Totals &totals = workload.totals();
	fmt::print(stderr, "{} records, {} bytes, {} lost, {} overwritten\n", totals.written,
		   totals.bytes, totals.lost, totals.overwritten);
	bool ok = files.close();
	return truth && fclose(truth) ? 1 : !ok;
}

} // namespace

int main(int argc, char **argv)
{
	Arguments arguments = Parser().parse(argc, argv);

	if (arguments.broken) {
		fmt::print(stderr, "{}", usage_text);
		return 2;
	}
	if (run(arguments)) {
		fmt::print(stderr, "workload: cannot write {}\n", arguments.output);
		return 1;
	}
	return 0;
}
