// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace monitor`; argv[0] is the word itself. Returns the exit code.
int monitor_main(int argc, char **argv);
