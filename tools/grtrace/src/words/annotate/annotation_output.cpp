// SPDX-License-Identifier: GPL-2.0
#include "words/annotate/annotation_output.h"

#include "lib/text/print_to.h"
#include "words/annotate/annotate_options.h"

#include <sys/sysinfo.h>

#include <cstdio>
#include <ctime>

namespace grtrace {

Status AnnotationOutput::open(const AnnotateOptions &options)
{
	if (!options.to_stdout())
		return output_.create(options.output);
	output_.use_stdout();
	return {};
}

void AnnotationOutput::begin(uint32_t probes)
{
	StreamFacts facts;

	facts.start(CLOCK_MONOTONIC);
	facts.nr_cpus = static_cast<uint32_t>(get_nprocs_conf());
	facts.probes = probes;
	facts.known_probes = DrmProbes::known_probes;
	stream_ = std::make_unique<AnnotationStream>(facts);
}

Status AnnotationOutput::write()
{
	const std::vector<uint8_t> bytes = stream_->take();

	if (bytes.empty())
		return {};
	return output_.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

Status AnnotationOutput::end()
{
	stream_->stop(clock_now(CLOCK_MONOTONIC));
	return write();
}

void AnnotationOutput::print_end(const DrmProbes::Rest &rest, bool to_stdout) const
{
	FILE *out = to_stdout ? stderr : stdout;

	print_to(out, "{}: {} ioctls, {} waits, {} threads, {} lost\n", output_.name(),
		 stream_->ioctls(), stream_->waits(), stream_->tasks(), stream_->lost());
	if (rest.unpaired)
		print_to(out,
			 "{} more ioctls were already running at the start and were not recorded\n",
			 rest.unpaired);
	if (rest.inside)
		print_to(out, "{} more did not return before the end\n", rest.inside);
	if (stream_->lost())
		print_to(stderr, "{} records were lost; a larger buffer (-b) holds more\n",
			 stream_->lost());
}

} // namespace grtrace
