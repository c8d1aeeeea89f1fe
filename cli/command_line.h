/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole program but for what belongs to the process.
 *
 *	int main(int argc, char **argv)
 *	{
 *		return command_line_run(argv + 1, stdout, stderr);
 *	}
 */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include <stdio.h>

/* words, ended by NULL, are what stands behind the program's name. Returns the exit code. */
int command_line_run(char **words, FILE *out, FILE *err);

#endif
