/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Help, made from the tables of commands and options.
 *
 *	help_print_overview(stdout);
 *	help_print_command(stdout, command_find("pull"));
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "command.h"

void help_print_overview(FILE *out);
void help_print_command(FILE *out, const struct command *command);

#endif
