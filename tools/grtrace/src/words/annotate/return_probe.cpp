// SPDX-License-Identifier: GPL-2.0
#include "words/annotate/return_probe.h"

#include "drive/run/kprobe_events.h"

#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace grtrace {

namespace {

constexpr const char *tracefs = "/sys/kernel/tracing";
constexpr const char *group = "grtrace_annotate";

// How many tasks may be inside at a time; each takes about 100 bytes.
constexpr unsigned int max_active = 4096;

int open_perf(uint64_t id)
{
	struct perf_event_attr attr = {};

	attr.type = PERF_TYPE_TRACEPOINT;
	attr.size = sizeof(attr);
	attr.config = id;
	attr.sample_period = 1;
	return static_cast<int>(
		syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC));
}

bool read_id(const std::string &name, uint64_t *id)
{
	const std::string path = fmt::format("{}/events/{}/{}/id", tracefs, group, name);
	FILE *file = fopen(path.c_str(), "re");

	if (!file)
		return false;
	const bool good = fscanf(file, "%lu", id) == 1;
	fclose(file);
	return good;
}

} // namespace

Status ReturnProbe::attach(const bpf_program *program, const std::string &function)
{
	const std::string name = kprobe_name(function);
	uint64_t id;

	const int error = write_kprobe_event(
		fmt::format("r{}:{}/{} {}\n", max_active, group, name, function));
	if (error)
		return Status::error(
			"{}/kprobe_events: cannot place a probe at the return of {}(): {}", tracefs,
			function, strerror(error));
	name_ = name;
	const int fd = read_id(name, &id) ? open_perf(id) : -1;
	if (fd < 0)
		return Status::error("perf cannot use the probe at the return of {}(): {}",
				     function, strerror(errno));
	// Takes the descriptor.
	link_ = bpf_program__attach_perf_event(program, fd);
	if (link_)
		return {};
	const int reason = errno;
	close(fd);
	return Status::error("cannot attach a BPF program to the return of {}(): {}", function,
			     strerror(reason));
}

// A line of kprobe_profile has the name, the hits and the misses.
uint64_t ReturnProbe::missed() const
{
	const std::string path = fmt::format("{}/kprobe_profile", tracefs);
	FILE *file = fopen(path.c_str(), "re");
	char name[256];
	uint64_t hits, misses, found = 0;

	if (!file)
		return 0;
	while (fscanf(file, "%255s %lu %lu", name, &hits, &misses) == 3)
		if (name_ == name)
			found = misses;
	fclose(file);
	return found;
}

uint64_t ReturnProbe::remove()
{
	if (name_.empty())
		return 0;
	const uint64_t misses = missed();
	bpf_link__destroy(link_);
	link_ = nullptr;
	write_kprobe_event(fmt::format("-:{}/{}\n", group, name_));
	name_.clear();
	return misses;
}

} // namespace grtrace
