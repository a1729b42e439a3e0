// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace merge`; argv[0] is the word itself. Returns the exit code.
int merge_main(int argc, char **argv);
