// SPDX-License-Identifier: GPL-2.0
#include "words/translate/named_fences.h"

namespace grtrace {

namespace {

constexpr std::string_view sched_driver = "drm_sched"; // these fences are jobs
constexpr std::string_view no_driver = "detached-driver"; // the fence was signalled before

} // namespace

void NamedFences::learn(uint64_t ctx, std::string_view driver, std::string_view timeline)
{
	if (ctx == last_ || driver.empty() || driver == sched_driver || driver == no_driver)
		return;
	last_ = ctx;
	Context &context = contexts_[ctx];
	if (!context.driver.empty())
		return;
	context.driver = driver;
	context.timeline = timeline;
}

void NamedFences::take_for_jobs(uint64_t ctx)
{
	contexts_[ctx].is_of_jobs = true;
}

const NamedFences::Context *NamedFences::tell(Context &context, uint32_t cpu)
{
	if (context.driver.empty() || context.is_of_jobs)
		return nullptr;
	if (cpu >= context.told.size())
		context.told.resize(cpu + 1);
	if (context.told[cpu])
		return nullptr;
	context.told[cpu] = true;
	return &context;
}

const NamedFences::Context *NamedFences::ask(uint64_t ctx, uint32_t cpu)
{
	Context &context = contexts_[ctx];

	context.is_asked = true;
	return tell(context, cpu);
}

const NamedFences::Context *NamedFences::owed(uint64_t ctx, uint32_t cpu)
{
	const auto found = contexts_.find(ctx);

	if (found == contexts_.end() || !found->second.is_asked)
		return nullptr;
	for (const bool told : found->second.told)
		if (told)
			return nullptr;
	return tell(found->second, cpu);
}

} // namespace grtrace
