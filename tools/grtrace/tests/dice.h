// SPDX-License-Identifier: GPL-2.0
//
// Dice: chance that repeats for a seed, on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace grtrace {

class Dice {
public:
	explicit Dice(uint64_t seed) : state_(seed * 2 + 1) {}

	uint64_t roll()
	{
		// xorshift64*: fast, and good in its upper half.
		state_ ^= state_ >> 12;
		state_ ^= state_ << 25;
		state_ ^= state_ >> 27;
		return (state_ * 0x2545f4914f6cdd1dull) >> 32;
	}

	// 0 to limit - 1.
	uint32_t below(uint32_t limit) { return static_cast<uint32_t>((roll() * limit) >> 32); }

	bool chance(unsigned int permille) { return permille && below(1000) < permille; }

	// Around mean, most below it and few far above: each octave up is half
	// as probable, as with times between events that know nothing of each
	// other.
	uint64_t spread(uint64_t mean)
	{
		uint64_t roll = this->roll();
		unsigned int octave = static_cast<unsigned int>(std::countr_zero(roll | 0x100));

		return mean * (octave * 65536 + (roll >> 16)) / 98304 + 1;
	}

private:
	uint64_t state_;
};

} // namespace grtrace
