// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace timeline`; argv[0] is the word itself. Returns the exit code.
int timeline_main(int argc, char **argv);
