// SPDX-License-Identifier: GPL-2.0
#include "words/translate/event_specs.h"

#include "unit/words/tracefs/tracefs_kernel.h"

#include <gtest/gtest.h>

namespace grtrace {

// A kernel without another field is one without the event.
TEST(EventSpecs, only_these_fields_may_be_missing)
{
	const std::string job = "dev client_id ", old_job = "entity id ", fence = "timeline ";
	const std::map<std::string, std::string> wanted = {
		{"drm_sched_job_queue", job},
		{"drm_sched_job_run", job},
		{"drm_sched_job", old_job},
		{"drm_run_job", old_job},
		{"dma_fence_init", fence},
		{"dma_fence_emit", fence},
		{"dma_fence_signaled", fence},
		{"dma_fence_wait_start", fence},
		{"dma_fence_wait_end", fence},
		{"dma_fence_wait_any_start", fence},
		{"virtio_gpu_cmd_queue", "flags fence_id "},
		{"virtio_gpu_cmd_response", "flags fence_id "},
		{"amdgpu_userq_emit_fence", "dev "},
		{"amdgpu_userq_state_changed", "client_id "},
	};

	for (const TraceEventSpec &spec : trace_event_specs()) {
		std::string may_be_missing;

		for (const FieldSpec &missing : spec.fields) {
			std::vector<FakeField> others;

			for (const FieldSpec &field : spec.fields)
				if (field.name != missing.name)
					others.push_back({"u64", field.name, 8});
			if (FakeKernel().define(spec.name, others))
				may_be_missing += fmt::format("{} ", missing.name);
		}
		const auto found = wanted.find(spec.name);
		EXPECT_EQ(may_be_missing, found == wanted.end() ? "" : found->second) << spec.name;
	}
}

} // namespace grtrace
