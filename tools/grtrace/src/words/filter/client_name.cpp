// SPDX-License-Identifier: GPL-2.0
//
// amdgpu gives jobs that it submits for itself numbers from 2^64-1 downwards
// (AMDGPU_KERNEL_JOB_ID_* in amdgpu_job.h).
#include "words/filter/client_name.h"

#include <iterator>

namespace grtrace {

static constexpr const char *amdgpu_jobs[] = {
	"vm_update",        "vm_update_pdes",   "vm_update_range",
	"vm_pt_clear",      "ttm_map_buffer",   "ttm_access_memory_sdma",
	"ttm_copy_buffer",  "clear_on_release", "move_blit",
	"ttm_clear_buffer", "cleaner_shader",   "flush_gpu_tlb",
	"kfd_gart_map",     "vcn_ring_test",    "gfx_ring_test",
	"sdma_ring_test",   "vpe_ring_test",    "run_shader",
};

const char *client_name(uint64_t client, std::string_view driver)
{
	const uint64_t number = UINT64_MAX - client;

	if (number >= std::size(amdgpu_jobs) || !(driver.empty() || driver == "amdgpu"))
		return nullptr;
	return amdgpu_jobs[number];
}

bool client_by_name(std::string_view name, uint64_t &client)
{
	for (size_t i = 0; i < std::size(amdgpu_jobs); i++) {
		if (name != amdgpu_jobs[i])
			continue;
		client = UINT64_MAX - i;
		return true;
	}
	return false;
}

} // namespace grtrace
