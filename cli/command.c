/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stdarg.h>
#include <string.h>

#include "interrupt.h"
#include "message.h"

const struct command *const commands[] = {
	&command_pull,	 &command_login, &command_logout, &command_upper,
	&command_resize, &command_clone, &command_images, &command_inspect,
	&command_ls,	 &command_cat,	 &command_stat,	  &command_export,
	&command_save,	 &command_build, &command_verify, &command_version,
	&command_help,	 NULL,
};

const struct command *command_find(const char *name)
{
	for (const struct command *const *command = commands; *command; command++) {
		if (!strcmp((*command)->name, name))
			return *command;
	}
	return NULL;
}

bool is_given(const struct invocation *invocation, enum option_id id)
{
	return invocation->arguments.values[id] != NULL;
}

/* "mkrootfs pull: unknown option '--x' (see 'mkrootfs pull --help')" */
int usage_error(const struct invocation *invocation, const char *format, ...)
{
	const char *name = invocation->command ? invocation->command->name : "";
	const char *space = invocation->command ? " " : "";
	char problem[512], line[640];
	va_list list;

	va_start(list, format);
	vsnprintf(problem, sizeof(problem), format, list);
	va_end(list);
	snprintf(line, sizeof(line), "mkrootfs%s%s: %s (see 'mkrootfs%s%s --help')", space, name,
		 problem, space, name);
	print_line(invocation->err, "", line);
	return EXIT_CODE_USAGE;
}

int failure(const struct invocation *invocation, const struct mkrootfs_error *error)
{
	print_failure(invocation->err, error->message);
	if (error->advice[0])
		print_hint(invocation->err, error->advice);
	if (error->status == MKROOTFS_ERROR_CANCELLED && interrupt_signal())
		return EXIT_CODE_SIGNAL + interrupt_signal();
	return exit_code_of(error->status);
}
