// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace export`; argv[0] is the word itself. Returns the exit code.
int export_main(int argc, char **argv);
