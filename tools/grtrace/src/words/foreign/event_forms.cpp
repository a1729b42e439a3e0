// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/event_forms.h"

namespace grtrace {

EventForms::EventForms()
{
	for (const ForeignEvent &event : foreign_events())
		by_name_[event.name].push_back(&known_.emplace_back(event));
}

const EventForms::Forms *EventForms::find(std::string_view name) const
{
	const auto forms = by_name_.find(name);

	return forms == by_name_.end() ? nullptr : &forms->second;
}

const ForeignEvent *EventForms::read(const Forms &forms, std::string_view text, FieldValues *fields)
{
	for (const EventText *form : forms)
		if (form->read(text, fields))
			return &form->event();
	return nullptr;
}

} // namespace grtrace
