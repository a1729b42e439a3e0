// SPDX-License-Identifier: GPL-2.0
#include "words.h"

#include "capture_options.h"
#include "config_keys.h"
#include "control.h"
#include "session_plan.h"

#include <fmt/format.h>

namespace grtrace {

namespace {

int exit_with(const Status &status)
{
	if (status.ok())
		return 0;
	fmt::print(stderr, "grtrace: {}\n", status.sentence());
	return 1;
}

std::string json_string(const std::string &text)
{
	std::string quoted = "\"";

	for (const unsigned char c : text) {
		if (c == '"' || c == '\\')
			quoted += fmt::format("\\{:c}", c);
		else if (c < ' ')
			quoted += fmt::format("\\u{:04x}", c);
		else
			quoted += c;
	}
	return quoted + "\"";
}

std::string json_value(const std::string &text)
{
	uint64_t number;

	return parse_number(text, &number) ? text : json_string(text);
}

std::string json_object(const std::vector<NamedText> &members)
{
	std::string text;

	for (const NamedText &member : members)
		text += fmt::format("{}{}: {}", text.empty() ? "" : ", ",
				    json_string(member.first),
				    json_value(member.second));
	return "{" + text + "}";
}

std::string json_rows(const CsvTable &table)
{
	std::string text;

	for (const std::vector<std::string> &row : table.rows) {
		std::vector<NamedText> members;

		for (size_t i = 0; i < row.size(); i++)
			members.emplace_back(table.header[i], row[i]);
		text += (text.empty() ? "" : ",\n  ") + json_object(members);
	}
	return "[" + text + "]";
}

struct Overview {
	std::string state;
	std::vector<NamedText> stats;
	CsvTable rings;
};

Status read_overview(const Control &control, Overview *overview)
{
	std::string stats, rings;
	Status status = control.state(&overview->state);

	if (status.ok())
		status = control.read("stats", &stats);
	if (status.ok())
		status = control.read("rings", &rings);
	if (status.ok())
		status = parse_csv(rings, &overview->rings);
	overview->stats = parse_named(stats, ' ');
	return status;
}

void print_overview(const Overview &overview)
{
	fmt::print("state {}\n\n", overview.state);
	for (const NamedText &stat : overview.stats)
		fmt::print("{:<22}{:>20}\n", stat.first, stat.second);
	fmt::print("\n{}", aligned(overview.rings));
}

void print_overview_json(const Overview &overview)
{
	fmt::print("{{\"state\": {},\n \"stats\": {},\n \"rings\": {}}}\n",
		   json_string(overview.state), json_object(overview.stats),
		   json_rows(overview.rings));
}

Status parse_settings(const std::vector<std::string> &words,
		      std::vector<NamedText> *settings)
{
	for (const std::string &word : words) {
		Status status = parse_setting(word, &settings->emplace_back());

		if (!status.ok())
			return status;
	}
	return Status();
}

} // namespace

int start_main(const CaptureOptions &options)
{
	Control control;
	SessionPlan plan;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = plan_session(control, options, &plan);
	if (status.ok())
		status = control.configure(plan.settings);
	if (status.ok())
		status = control.start();
	return exit_with(status);
}

int stop_main(const CaptureOptions &options)
{
	Control control;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = control.stop();
	return exit_with(status);
}

int kill_main(const CaptureOptions &options)
{
	const int code = stop_main(options);

	if (code == 0)
		fmt::print("the session was stopped\n");
	return code;
}

int status_main(const CaptureOptions &options)
{
	Control control;
	Overview overview;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = read_overview(control, &overview);
	if (status.ok() && options.json)
		print_overview_json(overview);
	else if (status.ok())
		print_overview(overview);
	return exit_with(status);
}

int config_main(const CaptureOptions &options)
{
	std::vector<NamedText> settings;
	Control control;
	std::string text;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = parse_settings(options.arguments, &settings);
	if (!status.ok())
		return exit_with(status);
	if (!settings.empty())
		return exit_with(control.configure(settings));
	status = control.read("config", &text);
	fmt::print("{}", text);
	return exit_with(status);
}

int msg_main(const CaptureOptions &options)
{
	Control control;
	std::string text, state;
	Status status = control.open(options.debugfs);

	for (const std::string &word : options.arguments)
		text += (text.empty() ? "" : " ") + word;
	if (status.ok() && text.empty())
		status = Status::error("msg: there is no text");
	if (status.ok())
		status = control.state(&state);
	if (status.ok() && (state == "idle" || state == "stopped"))
		status = Status::error("no session is running that could "
				       "record the message");
	if (status.ok())
		status = control.message(text);
	return exit_with(status);
}

} // namespace grtrace
