// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace annotate`; argv[0] is the word itself. Returns the exit code.
int annotate_main(int argc, char **argv);
