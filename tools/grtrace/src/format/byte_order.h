// SPDX-License-Identifier: GPL-2.0
//
// Little-endian loads and stores at any address, on any host: the stream is
// little endian, and after damage a packet may begin at an odd offset.
#pragma once

#include <cstdint>
#include <cstring>
#include <endian.h>

namespace grtrace {

inline uint16_t load16(const void *from)
{
	uint16_t value;
	memcpy(&value, from, sizeof(value));
	return le16toh(value);
}

inline uint32_t load32(const void *from)
{
	uint32_t value;
	memcpy(&value, from, sizeof(value));
	return le32toh(value);
}

inline uint64_t load64(const void *from)
{
	uint64_t value;
	memcpy(&value, from, sizeof(value));
	return le64toh(value);
}

inline void store16(void *to, uint16_t value)
{
	value = htole16(value);
	memcpy(to, &value, sizeof(value));
}

inline void store32(void *to, uint32_t value)
{
	value = htole32(value);
	memcpy(to, &value, sizeof(value));
}

inline void store64(void *to, uint64_t value)
{
	value = htole64(value);
	memcpy(to, &value, sizeof(value));
}

} // namespace grtrace
