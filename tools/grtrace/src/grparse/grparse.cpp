// SPDX-License-Identifier: GPL-2.0
//
// grparse: blkparse for GPU jobs.
#include "grparse/grparse_run.h"

int main(int argc, char **argv)
{
	return grtrace::grparse_main<grtrace::GrparseOptions>(argc, argv);
}
