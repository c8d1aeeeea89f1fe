/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_files.h"
#include "command.h"
#include "escape.h"

#include <string.h>

static void print_done(FILE *out, const char *registry, const char *file)
{
	fputs("Removed the credentials for ", out);
	print_escaped(out, registry, strlen(registry));
	fputs(" from ", out);
	print_escaped(out, file, strlen(file));
	putc('\n', out);
}

static int run_logout(struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	const char *registry = arguments->operand_count ? arguments->operands[0] : NULL;
	struct mkrootfs_error error;
	struct auth_files files;
	const char *file;

	if (!registry != is_given(invocation, OPTION_ALL))
		return usage_error(invocation, registry ? "'--all' stands alone, without a registry"
							: "REGISTRY, or '--all', is missing");
	auth_files_find(&files, arguments->values[OPTION_AUTHFILE]);
	file = auth_files_to_write(&files);
	if (!file)
		return usage_error(invocation, "no place for credentials: give --authfile FILE, or "
					       "set REGISTRY_AUTH_FILE or HOME");
	if (mkrootfs_logout(registry, file, &error) < 0)
		return failure(invocation, &error);
	print_done(invocation->out, registry ? registry : "all registries", file);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	{ OPTION_ALL, 'a', "all", NULL, "forget all registries" },
	{ OPTION_AUTHFILE, 0, "authfile", "FILE",
	  "where they are kept; see 'mkrootfs login --help'" },
	OPTION_SPEC_END,
};

const struct command command_logout = {
	.name = "logout",
	.summary = "forget the user and the password for a registry",
	.synopsis = "[OPTION]... REGISTRY",
	.description =
		"Removes what 'mkrootfs login', or podman and its like, kept for a registry, also\n"
		"from the credential helper that keeps it.\n",
	.examples = "  mkrootfs logout ghcr.io\n"
		    "  mkrootfs logout --all\n",
	.options = options,
	.operand = "REGISTRY",
	.operand_optional = true,
	.run = run_logout,
};
