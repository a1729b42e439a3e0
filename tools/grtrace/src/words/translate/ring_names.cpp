// SPDX-License-Identifier: GPL-2.0
#include "words/translate/ring_names.h"

#include "words/translate/device_names.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <iterator>

namespace grtrace {

namespace {

// Not all events contain a fence context for jobs of a virtqueue. These contexts are so
// high that the kernel would take decades to reach them, and so low that fence contexts can
// still be widened from them.
constexpr uint32_t first_own_ctx = 0x7fff0000;

// Drivers do not describe their rings. The module's source of the DRM scheduler has the same
// list, except for the last three: drivers with such names call the module itself.
constexpr struct {
	std::string_view prefix;
	uint32_t engine_class;
} name_classes[] = {
	{"gfx", GRTRACE_CLASS_RENDER}, // amdgpu
	{"comp", GRTRACE_CLASS_COMPUTE},
	{"sdma", GRTRACE_CLASS_COPY},
	{"uvd_enc", GRTRACE_CLASS_VIDEO_ENCODE},
	{"uvd", GRTRACE_CLASS_VIDEO_DECODE},
	{"vce", GRTRACE_CLASS_VIDEO_ENCODE},
	{"vcn_enc", GRTRACE_CLASS_VIDEO_ENCODE},
	{"vcn_dec", GRTRACE_CLASS_VIDEO_DECODE},
	{"vcn_unified", GRTRACE_CLASS_VIDEO_DECODE},
	{"jpeg", GRTRACE_CLASS_VIDEO_DECODE},
	{"rcs", GRTRACE_CLASS_RENDER}, // xe
	{"ccs", GRTRACE_CLASS_COMPUTE},
	{"bcs", GRTRACE_CLASS_COPY},
	{"vecs", GRTRACE_CLASS_VIDEO_ENCODE},
	{"vcs", GRTRACE_CLASS_VIDEO_DECODE},
	{"v3d_bin", GRTRACE_CLASS_RENDER}, // v3d
	{"v3d_render", GRTRACE_CLASS_RENDER},
	{"v3d_csd", GRTRACE_CLASS_COMPUTE},
	{"v3d_tfu", GRTRACE_CLASS_COPY},
	{"pan_js", GRTRACE_CLASS_RENDER}, // panfrost
	{"gp", GRTRACE_CLASS_RENDER}, // lima
	{"pp", GRTRACE_CLASS_RENDER},
	{"render", GRTRACE_CLASS_RENDER}, // named after what they do
	{"copy", GRTRACE_CLASS_COPY},
	{"video", GRTRACE_CLASS_VIDEO_DECODE},
};

// As in the module's sources. A queue of a driver that has a scheduler for each queue shares
// the hardware with the others.
constexpr struct {
	std::string_view driver; // empty: any
	std::string_view prefix;
	uint32_t flags;
} name_flags[] = {
	{"", "panthor-queue", GRTRACE_RING_SHARED},
	{"", "panthor-vm-bind", GRTRACE_RING_CPU},
	{"", "msm-vm-bind", GRTRACE_RING_CPU},
	{"", "pvr-queue", GRTRACE_RING_SHARED}, // imagination
	{"", "amdxdna_js", GRTRACE_RING_SHARED},
	{"", "v3d_cpu", GRTRACE_RING_CPU},
	{"", "nouveau_sched", GRTRACE_RING_SHARED},
	{"", "userq_", GRTRACE_RING_USER | GRTRACE_RING_SHARED}, // amdgpu
	{"xe", "", GRTRACE_RING_SHARED},
};

// Indexed by I915_ENGINE_CLASS_* of the uAPI.
constexpr struct {
	const char *name;
	uint32_t engine_class;
} i915_engines[] = {
	{"rcs", GRTRACE_CLASS_RENDER},       {"bcs", GRTRACE_CLASS_COPY},
	{"vcs", GRTRACE_CLASS_VIDEO_DECODE}, {"vecs", GRTRACE_CLASS_VIDEO_ENCODE},
	{"ccs", GRTRACE_CLASS_COMPUTE},
};

} // namespace

uint32_t ring_name_class(std::string_view name)
{
	constexpr std::string_view user_queue = "userq_"; // of amdgpu

	if (name.starts_with(user_queue))
		name.remove_prefix(user_queue.size());
	for (const auto &entry : name_classes) {
		if (name.starts_with(entry.prefix))
			return entry.engine_class;
	}
	return GRTRACE_CLASS_UNKNOWN;
}

uint32_t ring_name_flags(std::string_view driver, std::string_view name)
{
	for (const auto &entry : name_flags)
		if (name.starts_with(entry.prefix) &&
		    (entry.driver.empty() || entry.driver == driver))
			return entry.flags;
	return 0;
}

TraceRing *RingNames::known()
{
	const auto found = ids_.find(key_);

	return found == ids_.end() ? nullptr : at(found->second);
}

TraceRing &RingNames::add(std::string_view device, std::string_view driver, std::string_view name,
			  uint32_t engine_class)
{
	const uint32_t id = rings_.size() + 1;

	rings_.push_back({id, engine_class, std::string(device), std::string(driver),
			  std::string(name), first_own_ctx + id, ring_name_flags(driver, name)});
	ids_[key_] = id;
	return rings_.back();
}

TraceRing &RingNames::find(std::string_view device, std::string_view name)
{
	// Mostly it is that of the event before.
	if (last_ && last_->name == name && last_device_ == device)
		return *last_;
	key_.assign(device).append(1, '\0').append(name);
	last_ = known();
	last_device_ = device;
	if (!last_ && device.empty())
		last_ = &add("?", "?", name, ring_name_class(name));
	else if (!last_)
		last_ = &add(device, devices_.driver(std::string(device)), name,
			     ring_name_class(name));
	return *last_;
}

TraceRing *RingNames::adopt(std::string_view device, std::string_view name)
{
	key_.assign(1, '\0').append(name);
	const auto nobodys = ids_.find(key_);

	if (device.empty() || nobodys == ids_.end())
		return nullptr;
	key_.assign(device).append(1, '\0').append(name);
	if (known())
		return nullptr;
	TraceRing *ring = at(nobodys->second);
	ids_.erase(nobodys);
	ids_[key_] = ring->id;
	ring->device = device;
	ring->driver = devices_.driver(ring->device);
	last_ = nullptr;
	return ring;
}

TraceRing &RingNames::find_virtio(uint64_t number, std::string_view name)
{
	key_ = fmt::format("virtio{} {}", number, name);
	if (TraceRing *ring = known())
		return *ring;
	return add(devices_.virtio_parent(number), "virtio_gpu", name, GRTRACE_CLASS_UNKNOWN);
}

TraceRing &RingNames::find_i915(uint64_t card, uint64_t engine_class, uint64_t instance)
{
	key_ = fmt::format("i915 {} {} {}", card, engine_class, instance);
	if (TraceRing *ring = known())
		return *ring;
	const std::string device = devices_.card(card);
	// A virtual engine, until it is known which engine executes it.
	if (engine_class >= std::size(i915_engines))
		return add(device, "i915", "virtual", GRTRACE_CLASS_UNKNOWN);
	return add(device, "i915", fmt::format("{}{}", i915_engines[engine_class].name, instance),
		   i915_engines[engine_class].engine_class);
}

TraceRing *RingNames::find_only(std::string_view name)
{
	TraceRing *only = nullptr;

	for (const auto &entry : ids_) {
		TraceRing *ring = at(entry.second);

		if (ring->name != name)
			continue;
		if (only)
			return nullptr;
		only = ring;
	}
	return only;
}

void RingNames::retire(const TraceRing &ring)
{
	last_ = nullptr;
	std::erase_if(ids_, [&ring](const auto &entry) { return entry.second == ring.id; });
}

} // namespace grtrace
