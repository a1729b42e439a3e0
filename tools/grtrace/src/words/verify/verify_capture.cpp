// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_capture.h"

namespace grtrace {

VerifyCapture::VerifyCapture(uint64_t limit)
	: diagnostics_([this](const std::string &text) { tell_file(text); }),
	  capture_(diagnostics_), findings_(capture_, limit), streams_(capture_, findings_),
	  records_(capture_, findings_, streams_), jobs_(capture_, findings_)
{
}

// A file is missing, empty or cannot be opened: its content is not known.
void VerifyCapture::tell_file(const std::string &sentence)
{
	// If nothing can be read, the report of the damage is more precise.
	if (finished_ || diagnostics_.warnings() ||
	    (reading_ && findings_.number(FaultKind::damage)))
		return;
	findings_.add(FaultKind::damage, sentence);
	findings_.lost(0, UINT64_MAX);
}

Status VerifyCapture::open(const std::string &directory, const std::string &name)
{
	Status status = capture_.open(directory, name);

	if (status.ok())
		capture_.watch(streams_);
	return status;
}

void VerifyCapture::open_memory(std::vector<std::vector<uint8_t>> streams, bool per_cpu)
{
	capture_.open_memory(std::move(streams), per_cpu);
	capture_.watch(streams_);
}

void VerifyCapture::finish()
{
	finished_ = true;
	streams_.finish();
	records_.finish();
	jobs_.finish();
	findings_.judge_suspects();
}

Next VerifyCapture::next()
{
	const Event *event;

	reading_ = true;
	const Next got = capture_.next(event);

	if (got == Next::event) {
		records_.feed(*event);
		jobs_.feed(*event);
	} else if (got == Next::end && !finished_) {
		finish();
	}
	return got;
}

} // namespace grtrace
