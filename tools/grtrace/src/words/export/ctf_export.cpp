// SPDX-License-Identifier: GPL-2.0
#include "words/export/ctf_export.h"

#include <algorithm>
#include <map>

#include "words/export/ctf_metadata.h"
#include "words/export/ctf_stream.h"
#include "words/export/output_directory.h"

namespace grtrace {

namespace {

// Memory grows with CPUs: a packet of each.
class CtfCapture : public CaptureExport {
public:
	CtfCapture(OutputDirectory &out, uint32_t index, Capture &capture)
		: out_(out), name_(fmt::format("capture{}", index)), capture_(capture)
	{
		out_.make_directory(name_);
	}

	void event(const Event &event) override
	{
		if (event.sequenced)
			last_ts_ = std::max(last_ts_, event.ts);
		stream_of(event.cpu).event(event);
	}
	void skip(const Event &event, bool in_time) override
	{
		stream_of(event.cpu).skip(event, in_time);
	}
	void finish() override
	{
		for (auto &[cpu, stream] : streams_)
			stream.finish(last_ts_);
		out_.append(name_ + "/metadata", ctf_metadata(capture_.session()));
	}

private:
	CtfStream &stream_of(uint32_t cpu)
	{
		return streams_
			.try_emplace(cpu, out_, fmt::format("{}/cpu_{}", name_, cpu), cpu,
				     capture_.session())
			.first->second;
	}

	OutputDirectory &out_;
	std::string name_;
	Capture &capture_;
	std::map<uint32_t, CtfStream> streams_; // by CPU
	uint64_t last_ts_ = 0;
};

class CtfExporter : public Exporter {
public:
	Status open(const std::string &path) override { return out_.create(path); }
	std::unique_ptr<CaptureExport> add(uint32_t index, Capture &capture) override
	{
		return std::make_unique<CtfCapture>(out_, index, capture);
	}
	bool failed() const override { return out_.failed(); }
	Status close() override { return out_.close(); }

private:
	OutputDirectory out_;
};

} // namespace

std::unique_ptr<Exporter> make_ctf_export(const ExportOptions &)
{
	return std::make_unique<CtfExporter>();
}

} // namespace grtrace
