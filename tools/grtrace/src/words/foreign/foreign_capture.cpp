// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/foreign_capture.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/fd.h"
#include "words/translate/marker.h"

namespace grtrace {

namespace {

// A reader holds back this many events of one stream, and more, to put them in order.
constexpr uint64_t flush_events = 16384;

// A reader has to know early which events the file lacks; a kind that is not among this many
// bytes of packets counts as missing until one comes.
constexpr size_t head_bytes = 1 << 20;

// The number of names of left out events that are kept, and of those that are printed.
constexpr size_t names_max = 1000;
constexpr size_t names_told = 4;

// After this many calls the kinds of a file's events are taken as known.
constexpr size_t early_max = 4096;

static_assert(static_cast<int>(TraceKind::count) <= 64);

// By the size and the head of a file; a pipe gets another number each time.
uint64_t session_of(const std::string &path)
{
	constexpr uint64_t prime = 0x100000001b3; // of FNV-1a
	const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
	uint64_t hash = 0xcbf29ce484222325;
	std::vector<char> head(65536);
	struct stat st;
	ssize_t got = -1;

	if (path != "-" && fd.is_open() && !fstat(fd.get(), &st) && S_ISREG(st.st_mode))
		got = pread(fd.get(), head.data(), head.size(), 0);
	if (got < 0) {
		std::random_device random;

		return (uint64_t(random()) << 32 | random()) | 1;
	}
	for (ssize_t i = 0; i < got; i++)
		hash = (hash ^ static_cast<unsigned char>(head[size_t(i)])) * prime;
	return (hash ^ uint64_t(st.st_size)) * prime | 1;
}

std::string number_of(uint64_t count, const char *one, const char *many)
{
	return fmt::format("{} {}", count, count == 1 ? one : many);
}

} // namespace

uint32_t clock_of_trace(std::string_view name)
{
	if (name == "mono")
		return GRTRACE_CLOCK_MONOTONIC;
	return name == "boot" ? uint32_t(GRTRACE_CLOCK_BOOTTIME) : 0;
}

ForeignCapture::ForeignCapture(const ForeignFacts &facts, OutputFile &out)
	: facts_(facts), out_(out),
	  writer_((notes_.session = session_of(facts.path)), cpus_max,
		  [this](uint32_t, const uint8_t *bytes, size_t size) { write(bytes, size); }),
	  translator_({}, devices_, tasks_, writer_)
{
	counts_.resize(foreign_events().size());
	translator_.make_keys();
	translator_.take_drivers();
	notes_.recorder = facts.kind;
	notes_.release = facts.release;
	notes_.clock = facts.clock;
	notes_.cpus = facts.cpus;
}

void ForeignCapture::write(const uint8_t *bytes, size_t size)
{
	if (!has_head_) {
		head_.append(reinterpret_cast<const char *>(bytes), size);
		if (head_.size() >= head_bytes)
			write_head();
		return;
	}
	out_.text().append(reinterpret_cast<const char *>(bytes),
			   reinterpret_cast<const char *>(bytes) + size);
	out_.drain();
}

void ForeignCapture::write_head()
{
	const std::string head = std::move(head_);

	has_head_ = true;
	write_notes();
	write(reinterpret_cast<const uint8_t *>(head.data()), head.size());
}

void ForeignCapture::write_notes()
{
	learn_sources();
	notes_.cpus = std::max<uint32_t>(notes_.cpus, cpus_.size());
	const std::vector<uint8_t> packet = notes_packet(notes_, translator_.rings());
	write(packet.data(), packet.size());
}

void ForeignCapture::start(uint64_t ts)
{
	started_ = true;
	notes_.start_ts = ts;
}

// The kinds are known, so the first events can be taken.
void ForeignCapture::end_early()
{
	const std::vector<std::function<void()>> early = std::exchange(early_, {});

	is_early_ = false;
	early_events_ = 0;
	for (int kind = 0; kind < static_cast<int>(TraceKind::count); kind++)
		if (early_kinds_ >> kind & 1)
			translator_.expect(static_cast<TraceKind>(kind));
	translator_.foresee(std::exchange(early_jobs_, {}));
	for (const std::function<void()> &call : early)
		call();
	early_texts_.clear();
}

void ForeignCapture::name_task(uint32_t pid, uint32_t tgid, std::string_view comm)
{
	if (!is_early_)
		return name_now(pid, tgid, comm);
	early_.push_back(
		[this, pid, tgid, name = std::string(comm)] { name_now(pid, tgid, name); });
}

void ForeignCapture::take(const ForeignEvent &from, const KernelEvent &event)
{
	if (is_early_ && early_.size() >= early_max)
		end_early();
	if (!is_early_)
		return take_now(from, event);
	FieldValues fields = *event.fields;
	early_events_ += event.cpu < cpus_max;
	fields.keep_texts(early_texts_);
	early_kinds_ |= 1ull << static_cast<int>(event.kind);
	if (event.kind == TraceKind::old_queue && fields.has(Field::id))
		early_jobs_.push_back({std::string(fields.text(Field::ring)),
				       fields.number(Field::entity), fields.number(Field::id)});
	early_.push_back([this, &from, event, fields] {
		KernelEvent held = event;

		held.fields = &fields;
		take_now(from, held);
	});
}

void ForeignCapture::marker(const KernelEvent &event, std::string_view line)
{
	if (is_early_ && early_.size() >= early_max)
		end_early();
	if (!is_early_)
		return marker_now(event, line);
	early_events_ += event.cpu < cpus_max;
	early_.push_back([this, event, text = std::string(line)] { marker_now(event, text); });
}

void ForeignCapture::miss(Miss kind, uint32_t cpu, const std::string &why)
{
	missed_[static_cast<size_t>(kind)]++;
	if (why_.empty())
		why_ = why;
	lose(cpu, 1);
}

void ForeignCapture::leave_out(std::string_view name)
{
	left_out_++;
	if (name.empty())
		return;
	if (const auto known = left_out_names_.find(name); known != left_out_names_.end())
		known->second++;
	else if (left_out_names_.size() < names_max)
		left_out_names_.emplace(name, 1);
}

void ForeignCapture::lose(uint32_t cpu, uint64_t events)
{
	if (!is_early_)
		return lose_now(cpu, events);
	early_.push_back([this, cpu, events] { lose_now(cpu, events); });
}

void ForeignCapture::name_now(uint32_t pid, uint32_t tgid, std::string_view comm)
{
	lacks_processes_ |= pid && !tgid;
	if (pid && tasks_.learn(pid, tgid, comm))
		translator_.rename_task(pid);
}

// Prepares for an event of the file. Returns false if the CPU cannot exist.
bool ForeignCapture::begin(const KernelEvent &event)
{
	if (event.cpu >= cpus_max)
		return false;
	if (event.cpu >= cpus_.size())
		cpus_.resize(event.cpu + 1);
	if (!started_)
		start(event.ts);
	unordered_ += event.ts < last_ts_;
	last_ts_ = std::max(last_ts_, event.ts);
	last_cpu_ = event.cpu;
	if (cpus_[event.cpu].lost)
		write_loss(event.cpu, event.ts);
	cpus_[event.cpu].last_ts = event.ts;
	events_++;
	if (++unflushed_ >= flush_events) {
		unflushed_ = 0;
		writer_.flush();
	}
	return true;
}

ForeignCapture::Count &ForeignCapture::count(const ForeignEvent &event)
{
	return counts_[static_cast<size_t>(&event - foreign_events().data())];
}

std::map<std::string_view, ForeignCapture::Count> ForeignCapture::named_counts() const
{
	std::map<std::string_view, Count> named;

	for (size_t i = 0; i < counts_.size(); i++) {
		Count &count = named[foreign_events()[i].name];

		count.events += counts_[i].events;
		count.unread += counts_[i].unread;
	}
	return named;
}

// A reader that has read the notes does not take back that a fact is missing.
void ForeignCapture::note_late(const ForeignEvent &from)
{
	const std::vector<std::string> before = notes_.untold;

	if (!has_head_)
		return;
	learn_untold();
	if (notes_.untold != before)
		late_ += fmt::format("{}{}", late_.empty() ? "" : ", ", from.name);
	notes_.untold = before;
}

void ForeignCapture::take_now(const ForeignEvent &from, const KernelEvent &event)
{
	const uint64_t bit = 1ull << static_cast<int>(event.kind);

	if (!begin(event)) {
		count(from).unread++;
		return;
	}
	if (!(kinds_ & bit)) {
		kinds_ |= bit;
		translator_.expect(event.kind);
		note_late(from);
	}
	count(from).events++;
	translator_.take(event);
}

void ForeignCapture::marker_now(const KernelEvent &event, std::string_view line)
{
	if (!begin(event))
		return;
	markers_++;
	translator_.message(event, marker_message(line));
}

void ForeignCapture::lose_now(uint32_t cpu, uint64_t events)
{
	if (cpu >= cpus_max)
		return;
	if (cpu >= cpus_.size())
		cpus_.resize(cpu + 1);
	cpus_[cpu].lost += events;
	lost_ += events;
}

void ForeignCapture::write_loss(uint32_t number, uint64_t to)
{
	Cpu &cpu = cpus_[number];
	const uint64_t from = cpu.last_ts ? cpu.last_ts : notes_.start_ts;

	translator_.lose();
	writer_.lost(number, std::min(from, to), to, cpu.lost);
	cpu.lost = 0;
}

bool ForeignCapture::has_any(std::initializer_list<TraceKind> kinds) const
{
	return std::any_of(kinds.begin(), kinds.end(),
			   [this](TraceKind kind) { return has(kind); });
}

// The file does not say which events could have come, only which came.
void ForeignCapture::learn_sources()
{
	notes_.sources.clear();
	for (const TraceEventSpec &spec : trace_event_specs()) {
		if (!has(spec.kind))
			continue;
		auto source = std::find_if(
			notes_.sources.begin(), notes_.sources.end(),
			[&](const TraceSource &one) { return one.name == spec.source; });
		if (source == notes_.sources.end())
			source = notes_.sources.insert(source, {spec.source, 0, 0});
		source->found++;
		source->known++;
	}
	// Drivers whose events only files have.
	for (const ForeignEvent &event : foreign_events())
		if (event.kind >= TraceKind::v3d_cl_run && has(event.kind) &&
		    std::ranges::find(notes_.sources, event.system, &TraceSource::name) ==
			    notes_.sources.end())
			notes_.sources.push_back({event.system, 1, 1});
	learn_untold();
}

void ForeignCapture::learn_untold()
{
	using enum TraceKind;

	notes_.untold.clear();
	// Beside those of the scheduler no event of a driver is taken.
	if (has_any({sched_queue, old_queue}) ||
	    !has_any({xe_timedout, xe_set_error, xe_memory_error}))
		notes_.untold.emplace_back("results");
	if (!has(sched_commit))
		notes_.untold.emplace_back(has(amdgpu_run) ? "hardware_fences_but_of_amdgpu" :
							     "hardware_fences");
	// Events of all kinds may still come.
	if (facts_.is_live && !is_finished_)
		return;
	if (has(old_queue))
		notes_.untold.emplace_back("devices_of_drm_sched");
	if (!has(sched_dep))
		notes_.untold.emplace_back("dependencies");
	if (!has_any({sched_queue, old_queue, virtio_queue, i915_add, amdgpu_userq_fence,
		      amdgpu_ioctl, amdgpu_address_ioctl, v3d_cl_queue, msm_queue, xe_queue,
		      lima_queue}))
		notes_.untold.emplace_back("submissions");
	if (!has_any({sched_run, old_run, i915_execute, amdgpu_run, amdgpu_userq_fence, v3d_cl_run,
		      v3d_tfu_run, v3d_csd_run, msm_run, xe_run, lima_run}))
		notes_.untold.emplace_back("beginnings");
	if (!has_any({sched_done, old_done, virtio_response, i915_out, v3d_bin_done,
		      v3d_render_done, v3d_tfu_done, v3d_csd_done, msm_done, xe_done}))
		notes_.untold.emplace_back("ends");
	if (!has(fence_signaled))
		notes_.untold.emplace_back("completions");
	if (!has_any({fence_wait_start, i915_wait_begin}))
		notes_.untold.emplace_back("waits");
}

void ForeignCapture::flush()
{
	if (is_early_)
		end_early();
	writer_.flush();
	if (started_ && !has_head_)
		write_head();
	out_.flush();
}

void ForeignCapture::cut_end()
{
	if (is_early_)
		end_early();
	cut(last_cpu_);
}

void ForeignCapture::finish()
{
	is_finished_ = true;
	if (is_early_)
		end_early();
	for (uint32_t cpu = 0; cpu < cpus_.size(); cpu++)
		if (started_ && cpus_[cpu].lost)
			write_loss(cpu, std::max(last_ts_, cpus_[cpu].last_ts));
	writer_.stop(std::max(last_ts_, reached_ts_));
	notes_.stopped = true;
	if (!started_)
		return;
	if (!has_head_)
		write_head();
	write_notes();
}

std::string ForeignCapture::summary() const
{
	std::string text;

	for (const auto &[name, count] : named_counts())
		if (count.events)
			text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.events,
					    name);
	if (markers_)
		text += fmt::format("{}{}", text.empty() ? "" : ", ",
				    number_of(markers_, "marker", "markers"));
	if (text.empty())
		text = "no event of a GPU";
	if (left_out_)
		text += fmt::format("; {} left out",
				    number_of(left_out_, "other is", "others are"));
	return text;
}

std::string ForeignCapture::nothing_read() const
{
	constexpr std::string_view known = "grtrace import --events lists what is known";
	std::vector<std::pair<uint64_t, std::string_view>> found;
	std::vector<std::string> names;
	std::string unread;

	for (const auto &[name, count] : named_counts())
		if (count.unread)
			unread += fmt::format("{}{} {}", unread.empty() ? "" : ", ", count.unread,
					      name);
	if (!unread.empty())
		return fmt::format(
			"has {} with other fields than those of a kernel that is known; {}", unread,
			known);
	if (const std::vector<std::string> why = misses(); !why.empty())
		return fmt::format("has no event of a GPU that could be read: {}",
				   fmt::join(why, "; "));
	if (left_out_names_.empty())
		return "has no event of a GPU; record with trace-cmd record -C mono "
		       "-e gpu_scheduler -e dma_fence";
	for (const auto &[name, count] : left_out_names_)
		found.emplace_back(count, name);
	std::stable_sort(found.begin(), found.end(),
			 [](const auto &a, const auto &b) { return a.first > b.first; });
	for (size_t i = 0; i < std::min(found.size(), names_told); i++)
		names.push_back(fmt::format("{} {}", found[i].first, found[i].second));
	return fmt::format("has no event that is known; it has {}{}; {}", fmt::join(names, ", "),
			   found.size() > names_told ? ", ..." : "", known);
}

// A figure that the file has no event for, and the option that would have recorded it.
std::vector<std::string> ForeignCapture::missing() const
{
	using enum TraceKind;

	const bool sched =
		has_any({sched_queue, sched_run, sched_done, old_queue, old_run, old_done});
	const bool i915 = has_any({i915_add, i915_execute, i915_out});
	const bool old = has_any({old_queue, old_run, old_done, old_wait});
	const bool virtio = has_any({virtio_queue, virtio_response});
	const bool driver =
		has_any({amdgpu_ioctl, amdgpu_address_ioctl, v3d_cl_run, v3d_tfu_run, v3d_csd_run,
			 msm_queue, msm_run, xe_queue, xe_run, lima_queue, lima_run});
	std::vector<std::string> what;

	if (driver && !sched)
		what.emplace_back("the scheduler's times (-e gpu_scheduler)");
	else if (!sched && !i915 && !virtio && !has(amdgpu_userq_fence)) {
		what.emplace_back("jobs (-e gpu_scheduler, -e i915 or -e virtio_gpu)");
		return what;
	}
	if (sched && !has_any({sched_queue, old_queue}))
		what.emplace_back(old ? "the time of queueing (-e drm_sched_job)" :
					"the time of queueing (-e drm_sched_job_queue)");
	if (sched && !has_any({sched_run, old_run, amdgpu_run}))
		what.emplace_back(old ? "the begin of execution (-e drm_run_job)" :
					"the begin of execution (-e drm_sched_job_run)");
	if (sched && !has_any({sched_done, old_done}))
		what.emplace_back(old ? "the end of execution (-e drm_sched_process_job)" :
					"the end of execution (-e drm_sched_job_done)");
	if (i915 && !has(i915_add))
		what.emplace_back("the time of queueing (-e i915_request_add)");
	if (i915 && !has_any({i915_execute, i915_out}))
		what.emplace_back("the begin and the end of execution (-e i915_request_execute "
				  "-e i915_request_out, which a kernel has with "
				  "CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS)");
	else if (i915 && !has(i915_execute))
		what.emplace_back("the begin of execution (-e i915_request_execute)");
	else if (i915 && !has(i915_out))
		what.emplace_back("the end of execution (-e i915_request_out)");
	if (virtio && !has(virtio_queue))
		what.emplace_back("the time of queueing (-e virtio_gpu_cmd_queue)");
	if (virtio && !has(virtio_response))
		what.emplace_back("the end of execution (-e virtio_gpu_cmd_response)");
	if ((sched || i915) && !has(fence_signaled))
		what.emplace_back(has(sched_commit) ?
					  "when jobs were complete (-e dma_fence_signaled)" :
					  "when jobs were handed over and complete "
					  "(-e dma_fence_signaled)");
	if (has(old_wait) && !has_any({fence_init, fence_emit}))
		what.emplace_back(has(amdgpu_ioctl) ? "which jobs a fence of no job blocked "
						      "(-e dma_fence_init)" :
						      "which jobs a fence blocked "
						      "(-e dma_fence_init)");
	if (!has_any({fence_wait_start, i915_wait_begin}))
		what.emplace_back("who waited (-e dma_fence_wait_start -e dma_fence_wait_end)");
	if (lacks_processes_)
		what.emplace_back(facts_.kind == "perfetto" ?
					  "processes: each thread counts as one (data source "
					  "linux.process_stats)" :
					  "processes: each thread counts as one (trace option "
					  "record-tgid)");
	return what;
}

// The names of the rings for which it holds.
template <typename Holds> std::string ForeignCapture::rings_that(Holds holds) const
{
	std::string names;

	for (uint32_t id = 1; id <= translator_.rings().size(); id++)
		if (const TraceRing *ring = translator_.rings().at(id);
		    holds(*ring) && names.find(ring->name) == names.npos)
			names += (names.empty() ? "" : ", ") + ring->name;
	return names;
}

std::string ForeignCapture::mixed_rings() const
{
	return rings_that([](const TraceRing &ring) { return ring.is_mixed; });
}

std::string ForeignCapture::parted_rings() const
{
	return rings_that([](const TraceRing &ring) {
		return ring.device.starts_with('?') && ring.device != "?";
	});
}

std::vector<std::string> ForeignCapture::misses() const
{
	const auto [unpacked, undescribed, damaged] = missed_;
	std::vector<std::string> sentences;

	if (unpacked)
		sentences.push_back(fmt::format(
			"{} could not be unpacked ({}): events are missing",
			number_of(unpacked, "compressed packet", "compressed packets"), why_));
	if (undescribed)
		sentences.push_back(fmt::format("{} left out: no packet describes {}",
						number_of(undescribed, "event is", "events are"),
						undescribed == 1 ? "it" : "them"));
	if (damaged)
		sentences.push_back(fmt::format("{} damaged: events are missing",
						number_of(damaged, "packet is", "packets are")));
	return sentences;
}

std::vector<std::string> ForeignCapture::remarks() const
{
	std::vector<std::string> remarks;
	const std::vector<std::string> what = missing();

	for (const auto &[name, count] : named_counts())
		if (count.unread)
			remarks.push_back(fmt::format("{} of {} are left out: their fields are not "
						      "those of a kernel that "
						      "is known (grtrace import --events)",
						      count.unread, name));
	for (std::string &sentence : misses())
		remarks.push_back(std::move(sentence));
	if (!what.empty())
		remarks.push_back(fmt::format("not in the file: {}", fmt::join(what, "; ")));
	if (!late_.empty())
		remarks.push_back(fmt::format("begins too late in the file, after 1 MiB of records "
					      "without it, so that what needs it is NA: {}",
					      late_));
	if (translator_.made_keys())
		remarks.push_back(fmt::format(
			"{} no fence in the file: {} made of the ring and the scheduler's number "
			"(-e dma_fence_init names them)",
			number_of(translator_.made_keys(), "job has", "jobs have"),
			translator_.made_keys() == 1 ? "its key is" : "their keys are"));
	if (const std::string names = mixed_rings(); !names.empty())
		remarks.push_back(fmt::format(
			"several GPUs have a ring of the same name, and it is not known whose some "
			"jobs are, because kernels before 6.17 do not name the device: {}",
			names));
	else if (const std::string parted = parted_rings(); !parted.empty())
		remarks.push_back(fmt::format(
			"several GPUs have a ring of the same name, which the numbers of their "
			"jobs "
			"distinguish, because kernels before 6.17 do not name the device: {}",
			parted));
	if (translator_.untold())
		remarks.push_back(
			fmt::format("{} skipped: the file does not have the beginning of "
				    "their jobs",
				    number_of(translator_.untold(), "event was", "events were")));
	if (unordered_)
		remarks.push_back(fmt::format(
			"{} older than the one before: the clocks of the CPUs differ; record with "
			"the clock mono (trace-cmd -C mono)",
			number_of(unordered_, "event is", "events are")));
	if (const uint64_t lost =
		    lost_ - cut_ - unread_ - std::accumulate(missed_.begin(), missed_.end(), 0ull))
		remarks.push_back(fmt::format("{} lost while it was recorded",
					      number_of(lost, "event was", "events were")));
	return remarks;
}

} // namespace grtrace
