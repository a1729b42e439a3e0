// SPDX-License-Identifier: GPL-2.0
#include "read/stream/note_kind.h"

#include <algorithm>
#include <iterator>

namespace grtrace {

struct Known {
	std::string_view event;
	NoteKind kind;
};

static const Known known[] = {
	{"vblank", NoteKind::vblank},
	{"drm_vblank_event", NoteKind::vblank},
	{"gpu_mem_total", NoteKind::memory},
	{"amdgpu_bo_create", NoteKind::memory},
	{"amdgpu_bo_move", NoteKind::memory},
	{"i915_gem_shrink", NoteKind::memory},
	{"i915_gem_evict", NoteKind::memory},
	{"i915_gem_evict_node", NoteKind::memory},
	{"i915_gem_evict_vm", NoteKind::memory},
	{"xe_bo_create", NoteKind::memory},
	{"xe_bo_move", NoteKind::memory},
	{"xe_vma_evict", NoteKind::memory},
	{"radeon_bo_create", NoteKind::memory},
	{"msm_gem_shrink", NoteKind::memory},
	{"gpu_frequency", NoteKind::power},
	{"devfreq_frequency", NoteKind::power},
	{"intel_gpu_freq_change", NoteKind::power},
	{"msm_gpu_freq_change", NoteKind::power},
	{"msm_gpu_suspend", NoteKind::power},
	{"msm_gpu_resume", NoteKind::power},
	{"xe_pm_suspend", NoteKind::power},
	{"xe_pm_resume", NoteKind::power},
	{"xe_pm_runtime_suspend", NoteKind::power},
	{"xe_pm_runtime_resume", NoteKind::power},
};

std::string_view note_event(std::string_view line)
{
	std::string_view event = line.substr(0, line.find(' '));

	if (event.ends_with(':'))
		event.remove_suffix(1);
	const size_t system = event.rfind(':');
	return system == event.npos ? event : event.substr(system + 1);
}

NoteKind note_kind(std::string_view line)
{
	const std::string_view event = note_event(line);
	const Known *found = std::find_if(
		std::begin(known), std::end(known),
		[&](const Known &one) { return one.event == event; });

	return found == std::end(known) ? NoteKind::other : found->kind;
}

} // namespace grtrace
