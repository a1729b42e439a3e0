// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace diff`; argv[0] is the word itself. Returns the exit code.
int diff_main(int argc, char **argv);
