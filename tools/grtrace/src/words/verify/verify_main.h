// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace verify`; argv[0] is the word itself. Returns the exit code.
int verify_main(int argc, char **argv);
