// SPDX-License-Identifier: GPL-2.0
//
// Any records as if BPF programs had made them. The first byte of each says of
// which kind it is.
#include "fuzz/fuzz_bytes.h"
#include "fuzz/fuzz_stream.h"
#include "words/annotate/annotation_stream.h"

using namespace grtrace;

// A kernel has no more.
constexpr uint32_t most_cpus = 8192;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzBytes from(data, size);
	StreamFacts facts;
	std::vector<uint8_t> all;

	facts.session = 1;
	facts.start_ts = from.take<uint64_t>();
	facts.release = from.text();
	facts.nr_cpus = from.take<uint32_t>();
	AnnotationStream stream(facts);
	while (!from.empty()) {
		switch (from.byte() % 3) {
		case 0: {
			auto call = from.take<annotate_ioctl>();

			call.head.cpu %= most_cpus;
			stream.add(call);
			break;
		}
		case 1: {
			auto wait = from.take<annotate_wait>();

			wait.head.cpu %= most_cpus;
			stream.add(wait);
			break;
		}
		default: {
			const auto lost = from.take<annotate_lost>();

			stream.lose(lost.head.cpu % most_cpus, lost.loss);
		}
		}
		const std::vector<uint8_t> some = stream.take();
		all.insert(all.end(), some.begin(), some.end());
	}
	const std::vector<uint8_t> rest = stream.take();
	all.insert(all.end(), rest.begin(), rest.end());
	check_readable({all}, false);
	return 0;
}
