// SPDX-License-Identifier: GPL-2.0
#pragma once

int import_main(int argc, char **argv);
