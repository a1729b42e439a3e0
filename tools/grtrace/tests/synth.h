// SPDX-License-Identifier: GPL-2.0
//
// Synth: a readable fixture in, the bytes of a capture out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// A fixture has one record per line: a word, then key=value pairs. '#' starts
// a comment. A key that is left out follows from the line before: gseq counts up
// by one over all CPUs, ts advances by 1000 ns (or say ts=5000, ts=+20).
//
//	session 0x5eed			# before all others; default 0x5eed
//	cpu 1				# the following lines are CPU 1's
//	cpu none			# ... or repeat tables for no CPU
//	info start=1000 real=1700000000000000000 features=0 release=7.3.4 boot=1
//	meta source drm_sched 3 4	# the rest of the line is the text
//	ring id=1 class=1 device=card0 driver=mock name=gfx
//	task pid=70 tgid=69 comm=glxgears cgroup=77
//	message the rest of the line
//	submit pid=70 ctx=5 ring=1 seqno=1 arg=1 fence=6:1 flags=0
//	error ctx=5 ring=1 seqno=1 kind=1 code=-110
//	error ring=1 kind=1 guilty=70 comm=game text=ring_gfx_timeout
//	ioctl pid=70 cmd=0xc0106442 driver=virtio_gpu duration=500 result=-12
//	ioctl pid=70 cmd=0xc00c64b2 minor=128 handles=3 cgroup=77
//	queue_state ctx=7 ring=1 state=0 reason=3 client=12
//	fence_name ctx=9 driver=nvidia timeline=prime
//	lost events=3 notes=0 first=2000 last=3000
//	lost events=3 limited=1 pressure=1	# why
//	stop gseq=9 cseq=9 lost=0	# the CPU's end; what it would have
//	overwritten 10			# 10 records of this CPU are not here
//	sampling 4			# the packets that follow: 1 job of 4
//	sample n=4 previous=1 reason=1 fill=80	# the note about it
//	packet major=2			# a new packet; fields can be forced
//	unknown type=20 size=48		# a record no reader knows
//	grow 8				# the next record has 8 bytes of tail
//	raw 00 ff 10			# bytes as they are
//
// All event names of the vocabulary work as submit does.
class Synth {
public:
	// stream: all CPUs go to one file, a packet for each change of CPU.
	explicit Synth(bool stream);
	~Synth();

	// False with a sentence in error().
	bool parse(std::string_view text);
	const std::string &error() const { return error_; }

	// By CPU; in a stream all is in file 0.
	const std::map<uint32_t, std::vector<uint8_t>> &files() const { return files_; }
	std::vector<std::vector<uint8_t>> streams() const;

private:
	using Words = std::map<std::string, std::string, std::less<>>;

	struct Packet {
		bool open = false;
		uint32_t cpu = 0;
		uint32_t ctx_hi = 0;
		uint64_t ts = 0;
	};

	bool line(std::string_view text);
	bool record(std::string_view name, const Words &words);
	void job(uint16_t type, const Words &words, uint32_t &ctx_hi, std::vector<uint8_t> &body);
	uint64_t number(const Words &words, const char *key, uint64_t otherwise = 0) const;
	uint64_t time(const Words &words);
	std::vector<uint8_t> &file();
	Packet &packet();
	void open_packet(const Words &words, uint32_t ctx_hi);
	void emit(std::vector<uint8_t> body, bool sequenced, uint32_t ctx_hi, const Words &words);
	bool fail(const std::string &reason);

	bool stream_;
	std::string error_;
	unsigned int line_ = 0;
	std::map<uint32_t, std::vector<uint8_t>> files_;
	std::map<uint32_t, Packet> packets_; // by file
	std::map<uint32_t, uint64_t> cseq_;
	std::map<uint32_t, uint64_t> lost_;
	uint64_t session_ = 0x5eed;
	uint64_t ts_ = 0;
	uint64_t gseq_ = 0;
	uint32_t cpu_ = 0;
	uint32_t grow_ = 0;
	uint32_t sample_ = 0;
};

} // namespace grtrace
