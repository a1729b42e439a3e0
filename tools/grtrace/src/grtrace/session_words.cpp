// SPDX-License-Identifier: GPL-2.0
//
// These words need no recorder: each is one command for the kernel.
#include "grtrace/session_words.h"

#include "drive/control/capture_options.h"
#include "drive/control/control.h"
#include "drive/control/session_plan.h"
#include "drive/control/sources.h"
#include "lib/text/print_to.h"

#include <fmt/format.h>

namespace grtrace {

namespace {

int exit_with(const Status &status)
{
	if (status.ok())
		return 0;
	print_to(stderr, "grtrace: {}\n", status.sentence());
	return 1;
}

} // namespace

int start_main(const CaptureOptions &options)
{
	Control control;
	SessionPlan plan;
	SessionConfig config;
	Status status = control.open(options.debugfs);

	// This comes before the rings of their drivers are looked up.
	if (status.ok())
		SourceModules().load();
	if (status.ok())
		status = plan_session(control, options, &plan);
	if (status.ok() && !plan.settings.empty())
		status = control.configure(plan.settings);
	if (status.ok())
		status = read_session_config(control, plan.settings, &config);
	if (status.ok() && !config.narrowed.empty())
		print_to(stderr, "grtrace: set before and still in force:{}\n", config.narrowed);
	if (status.ok())
		status = control.start();
	return exit_with(status);
}

int stop_main(const CaptureOptions &options)
{
	Control control;
	std::string state;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = control.state(&state);
	// --unload works without a session.
	if (status.ok() && (state == "running" || !options.unload))
		status = control.stop();
	return exit_with(status);
}

int unload_main(const CaptureOptions &options)
{
	Control control;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = unload_sources(control);
	return exit_with(status);
}

int kill_main(const CaptureOptions &options)
{
	const int code = stop_main(options);

	if (code == 0)
		print_to(stdout, "the session was stopped\n");
	return code;
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
		status = Status::error("no session is running that could record the message");
	if (status.ok())
		status = control.message(text);
	return exit_with(status);
}

} // namespace grtrace
