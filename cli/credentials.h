/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The credentials that a command line gives, and where else to look for some.
 *
 *	static const struct option_spec options[] = {
 *		OPTION_SPEC_CREDS, OPTION_SPECS_LOGIN, OPTION_SPEC_AUTHFILE, OPTION_SPEC_END,
 *	};
 *	struct credentials credentials;
 *
 *	code = credentials_read(&credentials, invocation);
 *	if (!code) {
 *		credentials_use(&options.registry, &credentials);
 *		...
 *	}
 *	credentials_forget(&credentials);
 *
 * A user without a password is asked for it at the terminal.
 */
#ifndef CLI_CREDENTIALS_H
#define CLI_CREDENTIALS_H

#include "auth_files.h"
#include "command.h"

#define CREDENTIALS_USER 512		 /* bytes with the NUL */
#define CREDENTIALS_PASSWORD (16u << 10) /* the same; keys of services are long */

struct credentials {
	char username[CREDENTIALS_USER]; /* empty: none is given */
	char password[CREDENTIALS_PASSWORD];
	struct auth_files files;
};

#define OPTION_SPEC_CREDS                                            \
	{                                                            \
		OPTION_CREDS, 0, "creds", "USER[:PASSWORD]",         \
			"ask the registry as this user; without\na " \
			"password it is asked for at the terminal"   \
	}
#define OPTION_SPECS_LOGIN                                                               \
	{ OPTION_USERNAME, 'u', "username", "USER", "the user to be at the registry" },  \
		{ OPTION_PASSWORD, 'p', "password", "PASSWORD",                          \
		  "its password, which others on this machine\nmay see: see the next" }, \
	{                                                                                \
		OPTION_PASSWORD_STDIN, 0, "password-stdin", NULL,                        \
			"the password is all of standard input"                          \
	}
#define OPTION_SPEC_AUTHFILE                                                                     \
	{                                                                                        \
		OPTION_AUTHFILE, 0, "authfile", "FILE",                                          \
			"where credentials are kept; default: the files\nof podman, skopeo and " \
			"docker"                                                                 \
	}

/* Returns 0 or an exit code, with the message printed. */
int credentials_read(struct credentials *credentials, const struct invocation *invocation);
/* The same for a command that has to have a user and a password: it asks for both. */
int credentials_require(struct credentials *credentials, const struct invocation *invocation);
/* What is set lives as long as credentials. */
void credentials_use(struct mkrootfs_registry_options *options,
		     const struct credentials *credentials);
/* Overwrites the password. */
void credentials_forget(struct credentials *credentials);

#endif
