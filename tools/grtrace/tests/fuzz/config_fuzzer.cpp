// SPDX-License-Identifier: GPL-2.0
//
// Texts from debugfs and from saved configurations. A configuration that is saved
// and loaded is the same, and a command that undoes a change can be typed.
#include "drive/control/config_backup.h"
#include "drive/control/config_keys.h"
#include "drive/control/views.h"
#include "words/config/saved_config.h"
#include "words/status/status_word.h"

#include <cerrno>
#include <cstdlib>

using namespace grtrace;

namespace {

void views(const std::string &text)
{
	std::vector<CpuCounts> counts;
	CsvTable table;

	if (parse_csv(text, &table).ok())
		view_text("rings", table);
	if (!parse_cpu_stats(text, &counts).ok())
		counts.clear();
	for (const char separator : {' ', '=', ':'})
		for (const NamedText &pair : parse_named(text, separator))
			named_number({pair}, pair.first);
}

void config(const std::string &text)
{
	std::vector<NamedText> settings, again;

	if (!parse_saved_config(text, &settings).ok())
		return;
	for (const NamedText &setting : settings)
		explain_refusal({setting}, EINVAL, text);
	undo_settings(settings, parse_named(text, '='));
	// A value that came through is one that can be kept.
	const std::string saved = saved_config(settings);
	if (!parse_saved_config(saved, &again).ok()) {
		if (saved.find('=') != saved.npos)
			abort();
		return;
	}
	if (saved_config(again).size() > saved.size() * 2)
		abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const std::string text(reinterpret_cast<const char *>(data), size);
	NamedText setting;

	views(text);
	config(text);
	if (parse_setting(text, &setting).ok() && setting.first.empty())
		abort();
	return 0;
}
