/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "credentials.h"
#include "escape.h"
#include "interrupt.h"
#include "message.h"
#include "registry_options.h"
#include "registry_places.h"

#include <string.h>

static int on_event(void *user, const struct mkrootfs_event *event)
{
	const struct invocation *invocation = user;

	if (event->kind == MKROOTFS_EVENT_WARNING)
		print_warning(invocation->err, event->text);
	return interrupt_signal() != 0;
}

static void print_done(FILE *out, const struct mkrootfs_login_options *options)
{
	fputs("Logged in to ", out);
	print_escaped(out, options->registry, strlen(options->registry));
	fputs(" as ", out);
	print_escaped(out, options->connection.username, strlen(options->connection.username));
	fputs(", kept by ", out);
	print_escaped(out, options->auth_file, strlen(options->auth_file));
	putc('\n', out);
}

static int log_in(struct invocation *invocation, const struct credentials *credentials)
{
	struct mkrootfs_login_options options = {
		.registry = invocation->arguments.operands[0],
		.auth_file = auth_files_to_write(&credentials->files),
		.events = on_event,
		.events_user = invocation,
	};
	struct registry_places places;
	struct mkrootfs_error error;
	int code = read_registry_options(&options.connection, invocation);

	if (code)
		return code;
	if (!options.auth_file)
		return usage_error(invocation, "no place for credentials: give --authfile FILE, or "
					       "set REGISTRY_AUTH_FILE or HOME");
	registry_places_fill(&options.connection, &places, &invocation->arguments);
	credentials_use(&options.connection, credentials);
	interrupt_watch();
	if (mkrootfs_login(&options, &error) < 0) {
		code = failure(invocation, &error);
		return interrupt_signal() ? EXIT_CODE_SIGNAL + interrupt_signal() : code;
	}
	print_done(invocation->out, &options);
	return EXIT_CODE_OK;
}

static int print_user(const struct invocation *invocation)
{
	struct mkrootfs_registry_options options = { .plain_http = 0 };
	char user[MKROOTFS_USER_SIZE];
	struct mkrootfs_error error;
	struct auth_files files;

	auth_files_find(&files, invocation->arguments.values[OPTION_AUTHFILE]);
	options.auth_files = auth_files_list(&files);
	if (mkrootfs_login_user(user, invocation->arguments.operands[0], &options, &error) < 0)
		return failure(invocation, &error);
	print_escaped(invocation->out, user, strlen(user));
	putc('\n', invocation->out);
	return EXIT_CODE_OK;
}

static int run_login(struct invocation *invocation)
{
	struct credentials credentials;
	int code;

	if (is_given(invocation, OPTION_GET_LOGIN))
		return print_user(invocation);
	code = credentials_require(&credentials, invocation);
	if (!code)
		code = log_in(invocation, &credentials);
	credentials_forget(&credentials);
	return code;
}

static const struct option_spec options[] = {
	OPTION_SPECS_LOGIN,
	OPTION_SPEC_AUTHFILE,
	{ OPTION_GET_LOGIN, 0, "get-login", NULL,
	  "print the user that is logged in, and do no more" },
	OPTION_SPECS_REGISTRY,
	OPTION_SPEC_END,
};

const struct command command_login = {
	.name = "login",
	.summary = "keep a user and a password for a registry",
	.synopsis = "[OPTION]... REGISTRY",
	.description =
		"Asks the registry whether it takes the user and the password, then keeps them\n"
		"where podman, buildah and skopeo find them too. What the command line does not\n"
		"say is asked for at the terminal.\n"
		"\n"
		"REGISTRY is its host, with a port where it has one, or a part of it that has a\n"
		"login of its own: quay.io/owner.\n"
		"\n"
		"They are kept in --authfile FILE, else $REGISTRY_AUTH_FILE, else\n"
		"containers/auth.json in $XDG_RUNTIME_DIR or, without that, in ~/.config.\n"
		"The file is readable by the user alone, but not encrypted: a credential helper\n"
		"that it names for the registry keeps them instead.\n",
	.examples = "  mkrootfs login ghcr.io\n"
		    "  mkrootfs login -u bob --password-stdin ghcr.io < token\n"
		    "  mkrootfs login --get-login ghcr.io\n",
	.options = options,
	.operand = "REGISTRY",
	.run = run_login,
};
