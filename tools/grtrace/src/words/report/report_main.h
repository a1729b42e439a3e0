// SPDX-License-Identifier: GPL-2.0
#pragma once

// Runs `grtrace report`; argv[0] is the word itself. Returns the exit code.
int report_main(int argc, char **argv);
