// SPDX-License-Identifier: GPL-2.0
#include "words/annotate/drm_probes.h"

#include "words/annotate/annotate_options.h"
#include "words/annotate/annotation_stream.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "annotate.skel.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>

namespace grtrace {

namespace {

constexpr const char *kernel_btf = "/sys/kernel/btf/vmlinux";
constexpr const char *drm_module = "/sys/module/drm";

// The first complaint of libbpf: the others follow from it.
std::string first_complaint;

__attribute__((format(printf, 2, 0))) int keep_complaint(enum libbpf_print_level level,
							 const char *format, va_list args)
{
	char text[512];

	if (level != LIBBPF_WARN || !first_complaint.empty())
		return 0;
	vsnprintf(text, sizeof(text), format, args);
	text[strcspn(text, "\n")] = 0;
	first_complaint = text;
	return 0;
}

std::string reason(int error)
{
	const char *text = strerror(error < 0 ? -error : error);

	return first_complaint.empty() ? text : fmt::format("{} ({})", text, first_complaint);
}

uint64_t monotonic_ns()
{
	struct timespec now = {};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
}

// Returns why the programs were refused, if that is known.
Status refused(int error)
{
	if (error == -EPERM || error == -EACCES)
		return Status::error("the kernel refuses BPF programs: run it as root, or with "
				     "CAP_BPF and CAP_PERFMON; under lockdown there is no way ({})",
				     reason(error));
	if (access(drm_module, F_OK) < 0)
		return Status::error("this kernel has no DRM whose ioctls could be seen: load the "
				     "driver of the GPU first");
	if (error == -ESRCH || error == -ENOENT)
		return Status::error("this kernel has no BTF for modules "
				     "(CONFIG_DEBUG_INFO_BTF_MODULES), and DRM is a module: {}",
				     reason(error));
	return Status::error("the BPF programs cannot be loaded: {}", reason(error));
}

} // namespace

DrmProbes::~DrmProbes()
{
	for (bpf_link *link : entries_)
		bpf_link__destroy(link);
	ring_buffer__free(records_);
	if (bpf_)
		annotate_bpf__destroy(bpf_);
}

Status DrmProbes::open(const AnnotateOptions &options)
{
	libbpf_set_print(keep_complaint);
	first_complaint.clear();
	if (access(kernel_btf, R_OK) < 0)
		return Status::error("{}: {}: this kernel has no BTF (CONFIG_DEBUG_INFO_BTF), so "
				     "BPF programs cannot find its fields",
				     kernel_btf, strerror(errno));
	bpf_ = annotate_bpf__open();
	if (!bpf_)
		return Status::error("cannot open the BPF programs: {}", reason(errno));
	bpf_->rodata->some_tasks = !options.pids.empty();
	bpf_->rodata->wake_at = options.buffer_kib * 1024 / 4;
	bpf_map__set_max_entries(bpf_->maps.records, options.buffer_kib * 1024);
	return {};
}

Status DrmProbes::set_up(const AnnotateOptions &options)
{
	const int tasks = bpf_map__fd(bpf_->maps.tasks);
	const uint8_t yes = 1;

	for (const uint32_t pid : options.pids)
		if (bpf_map_update_elem(tasks, &pid, &yes, BPF_ANY))
			return Status::error("the BPF programs cannot watch process {}: {}", pid,
					     strerror(errno));
	const auto take = [](void *context, void *data, size_t size) {
		DrmProbes &probes = *static_cast<DrmProbes *>(context);
		const auto &head = *static_cast<annotate_head *>(data);

		if (head.kind == ANNOTATE_IOCTL && size >= sizeof(annotate_ioctl))
			probes.stream_->add(*static_cast<annotate_ioctl *>(data));
		else if (head.kind == ANNOTATE_LOST && size >= sizeof(annotate_lost))
			probes.stream_->lose(head.cpu, static_cast<annotate_lost *>(data)->loss);
		else if (size >= sizeof(annotate_wait))
			probes.stream_->add(*static_cast<annotate_wait *>(data));
		return 0;
	};
	records_ = ring_buffer__new(bpf_map__fd(bpf_->maps.records), take, this, nullptr);
	if (!records_)
		return Status::error("cannot read the kernel's buffer: {}", strerror(errno));
	return {};
}

Status DrmProbes::load(const AnnotateOptions &options)
{
	Status status = open(options);

	if (!status.ok())
		return status;
	waits_ = options.waits;
	bpf_program__set_autoload(bpf_->progs.enter_wait, waits_);
	bpf_program__set_autoload(bpf_->progs.exit_wait, waits_);
	const int error = annotate_bpf__load(bpf_);
	if (error)
		return refused(error);
	return set_up(options);
}

// The entry is attached last: a call that returns without having entered was not seen at
// all.
Status DrmProbes::attach_pair(bpf_program *entry, bpf_program *exit, const char *function,
			      ReturnProbe *probe)
{
	Status status = probe->attach(exit, function);

	if (!status.ok())
		return status;
	bpf_link *link = bpf_program__attach_kprobe(entry, false, function);
	if (!link)
		return Status::error("cannot attach a BPF program to the start of {}(): {}",
				     function, reason(errno));
	entries_.push_back(link);
	probes_ += 2;
	return {};
}

Status DrmProbes::attach(std::vector<std::string> *missing)
{
	attached_ts_ = monotonic_ns();
	Status status = attach_pair(bpf_->progs.enter_ioctl, bpf_->progs.exit_ioctl, "drm_ioctl",
				    &ioctl_return_);

	if (!status.ok() || !waits_)
		return status;
	const Status waits = attach_pair(bpf_->progs.enter_wait, bpf_->progs.exit_wait,
					 "dma_fence_wait_timeout", &wait_return_);
	if (!waits.ok())
		missing->push_back("waits for fences are not recorded: " + waits.sentence());
	return {};
}

int DrmProbes::fd() const
{
	return ring_buffer__epoll_fd(records_);
}

Status DrmProbes::read(AnnotationStream *stream)
{
	stream_ = stream;
	const int got = ring_buffer__consume(records_);
	if (got < 0 && got != -EINTR)
		return Status::error("cannot read the kernel's buffer: {}", strerror(-got));
	return {};
}

// Adds what a CPU lost after its last record.
void DrmProbes::add_losses(AnnotationStream *stream, Rest *rest)
{
	const int cpus = libbpf_num_possible_cpus();
	const uint32_t key = 0;
	uint64_t crowded = 0;

	if (cpus <= 0)
		return;
	std::vector<annotate_counts> counts(static_cast<size_t>(cpus));
	if (bpf_map_lookup_elem(bpf_map__fd(bpf_->maps.counts), &key, counts.data()))
		return;
	for (uint32_t cpu = 0; cpu < counts.size(); cpu++) {
		if (counts[cpu].loss.records)
			stream->lose(cpu, counts[cpu].loss);
		rest->unpaired += counts[cpu].unpaired;
		crowded += counts[cpu].crowded;
	}
	// These returns were lost, and reported as lost.
	rest->unpaired -= std::min(rest->unpaired, crowded);
}

// Adds returns that were missed: their calls are lost.
void DrmProbes::add_missed(AnnotationStream *stream)
{
	const uint64_t missed = ioctl_return_.remove() + wait_return_.remove();

	if (missed)
		stream->lose(0, {missed, attached_ts_, monotonic_ns()});
}

uint64_t DrmProbes::count_inside() const
{
	const int calls = bpf_map__fd(bpf_->maps.calls);
	uint32_t key, next;
	uint32_t *last = nullptr;
	uint64_t inside = 0;

	// Nothing changes this table from here on.
	while (!bpf_map_get_next_key(calls, last, &next)) {
		key = next;
		last = &key;
		inside++;
	}
	return inside;
}

Status DrmProbes::finish(AnnotationStream *stream, Rest *rest)
{
	for (bpf_link *link : entries_)
		bpf_link__destroy(link);
	entries_.clear();
	add_missed(stream);

	Status status = read(stream);
	add_losses(stream, rest);
	rest->inside = count_inside();
	return status;
}

} // namespace grtrace
