// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <event-parse.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "format/byte_order.h"
#include "words/foreign/foreign_events.h"
#include "words/translate/kernel_event.h"

namespace grtrace {

// The names of rings in events that have only their addresses: kernels until 6.1 did not
// copy the names.
using AddressNames = std::map<uint64_t, std::string>;

// The fields that each event begins with. The library looks for them, and at the order of
// bytes, each time.
class DatHead {
public:
	explicit DatHead(struct tep_handle *tep);

	// Return a negative number if it cannot be read.
	int type(struct tep_record *record) const
	{
		return is_plain(*record) ? int(load16(at(*record, type_))) :
					   tep_data_type(tep_, record);
	}
	int pid(struct tep_record *record) const
	{
		return is_plain(*record) ? int(load32(at(*record, pid_))) :
					   tep_data_pid(tep_, record);
	}
	int flags(struct tep_record *record) const
	{
		return is_plain(*record) ? *at(*record, flags_) : tep_data_flags(tep_, record);
	}

private:
	bool is_plain(const struct tep_record &record) const
	{
		return record.size >= size_ && size_;
	}
	static const uint8_t *at(const struct tep_record &record, int offset)
	{
		return static_cast<const uint8_t *>(record.data) + offset;
	}
	void find(struct tep_event *event, const char *name, int size, int *offset);

	struct tep_handle *tep_;
	int type_ = 0, pid_ = 0, flags_ = 0; // their places
	int size_ = 0; // of all three; 0: they are not as on this machine
	bool is_odd_ = false; // one of them is not as in all kernels
};

// An event as the file describes it, with the places of its fields.
class DatEvent {
public:
	DatEvent(const ForeignEvent &from, struct tep_event *event);

	const ForeignEvent &from() const { return *from_; }
	// Returns whether the file has all fields that the event needs.
	bool is_usable() const { return usable_; }
	void read(std::span<const uint8_t> data, AddressNames &names, FieldValues *fields) const;

private:
	struct Place {
		Field field;
		tep_format_field *at;
		bool is_text;
		bool is_plain; // a number that has the order of bytes of this machine
	};

	static uint64_t number(const Place &place, std::span<const uint8_t> data);
	static std::string_view text(const Place &place, std::span<const uint8_t> data);

	const ForeignEvent *from_;
	std::vector<Place> places_;
	bool usable_ = true;
};

} // namespace grtrace
