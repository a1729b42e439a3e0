// SPDX-License-Identifier: GPL-2.0
#include "format/silence.h"

#include <fmt/format.h>

namespace grtrace {

void Silence::add(std::string_view source, uint64_t found, uint64_t known)
{
	if (source == "dma_fence" || source == "drm")
		return;
	if (found || !known) {
		heard_ = true;
		return;
	}
	absent_.append(absent_.empty() ? "" : ", ").append(source);
}

std::string Silence::sentence() const
{
	if (heard_)
		return "";
	if (absent_.empty())
		return "no job was recorded, because no source of jobs was loaded: load "
		       "grtrace_drm_sched, or the source of the GPU's driver";
	return fmt::format(
		"no job was recorded, because there was nothing to listen to: no driver with the "
		"tracepoints of {} was loaded. Load the GPU's driver, and record again",
		absent_);
}

} // namespace grtrace
