/* SPDX-License-Identifier: Apache-2.0 */
#include "credentials.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "interrupt.h"
#include "message.h"

/* Why the options make no sense together, or NULL. */
static const char *conflict(const struct invocation *invocation)
{
	bool password = is_given(invocation, OPTION_PASSWORD);
	bool from_stdin = is_given(invocation, OPTION_PASSWORD_STDIN);

	if (is_given(invocation, OPTION_CREDS) &&
	    (is_given(invocation, OPTION_USERNAME) || password || from_stdin))
		return "'--creds' stands alone, without '--username' and a password";
	if (password && from_stdin)
		return "'--password' and '--password-stdin' are one too many";
	if (from_stdin && !is_given(invocation, OPTION_USERNAME))
		return "'--password-stdin' needs '--username'";
	return NULL;
}

static int copy(char *out, size_t size, const char *text, size_t length)
{
	if (length >= size)
		return -1;
	memcpy(out, text, length);
	out[length] = '\0';
	return 0;
}

/* USER[:PASSWORD]; *known: a password was there. */
static int split(struct credentials *credentials, bool *known, const char *pair)
{
	size_t length = strcspn(pair, ":");

	*known = pair[length] == ':';
	if (copy(credentials->username, CREDENTIALS_USER, pair, length) < 0)
		return -1;
	pair += length + *known;
	return copy(credentials->password, CREDENTIALS_PASSWORD, pair, strlen(pair));
}

/* Up to the end, less one line end there. */
static int read_password(char password[CREDENTIALS_PASSWORD])
{
	size_t used = 0;
	ssize_t got;

	while ((got = read(STDIN_FILENO, password + used, CREDENTIALS_PASSWORD - used))) {
		if (got < 0 && errno == EINTR && !interrupt_signal())
			continue;
		if (got < 0)
			return -1;
		used += (size_t)got;
		if (used == CREDENTIALS_PASSWORD)
			return -1;
	}
	if (used > 0 && password[used - 1] == '\n')
		used--;
	if (used > 0 && password[used - 1] == '\r')
		used--;
	password[used] = '\0';
	return used > 0 && !memchr(password, '\0', used) ? 0 : -1;
}

/* ---- Asking ---- */

static int cannot_ask(const struct invocation *invocation)
{
	return usage_error(invocation, "the user or the password is missing, and standard input is "
				       "no terminal to ask at: give '--username' and "
				       "'--password-stdin'");
}

static int stopped(const struct invocation *invocation)
{
	if (interrupt_signal())
		return EXIT_CODE_SIGNAL + interrupt_signal();
	print_failure(invocation->err, "nothing that could be a name or a password was typed");
	return EXIT_CODE_USAGE;
}

static int ask_password(struct credentials *credentials, const struct invocation *invocation)
{
	if (!ask_possible())
		return cannot_ask(invocation);
	interrupt_watch();
	if (ask_secret(credentials->password, CREDENTIALS_PASSWORD, invocation->err, "Password: ") <
	    0)
		return stopped(invocation);
	return 0;
}

static int ask_user(struct credentials *credentials, const struct invocation *invocation)
{
	if (!ask_possible())
		return cannot_ask(invocation);
	interrupt_watch();
	if (ask_line(credentials->username, CREDENTIALS_USER, invocation->err, "User name: ") < 0 ||
	    !*credentials->username)
		return stopped(invocation);
	return 0;
}

/* ---- Reading ---- */

static int take_password(struct credentials *credentials, const struct invocation *invocation)
{
	const char *given = invocation->arguments.values[OPTION_PASSWORD];

	if (is_given(invocation, OPTION_PASSWORD_STDIN)) {
		if (read_password(credentials->password) < 0)
			return usage_error(invocation,
					   "standard input is no password: it is empty, longer "
					   "than %u bytes, or holds a NUL",
					   CREDENTIALS_PASSWORD - 1);
		return 0;
	}
	if (!given)
		return ask_password(credentials, invocation);
	print_warning(invocation->err, "others on this machine may see a password on a command "
				       "line: '--password-stdin' is safer");
	if (copy(credentials->password, CREDENTIALS_PASSWORD, given, strlen(given)) < 0)
		return usage_error(invocation, "the password is longer than %u bytes",
				   CREDENTIALS_PASSWORD - 1);
	return 0;
}

static int take_creds(struct credentials *credentials, const struct invocation *invocation)
{
	bool known;

	if (split(credentials, &known, invocation->arguments.values[OPTION_CREDS]) < 0)
		return usage_error(invocation, "the value of '--creds' is too long");
	if (!*credentials->username)
		return usage_error(invocation, "the value of '--creds' has no user");
	return known ? 0 : ask_password(credentials, invocation);
}

static int take_user(struct credentials *credentials, const struct invocation *invocation)
{
	const char *user = invocation->arguments.values[OPTION_USERNAME];

	if (copy(credentials->username, CREDENTIALS_USER, user, strlen(user)) < 0 ||
	    strchr(user, ':'))
		return usage_error(invocation, "'--username' is too long, or has a ':'");
	return take_password(credentials, invocation);
}

static int start(struct credentials *credentials, const struct invocation *invocation)
{
	const char *problem = conflict(invocation);

	credentials->username[0] = credentials->password[0] = '\0';
	if (problem)
		return usage_error(invocation, "%s", problem);
	auth_files_find(&credentials->files, invocation->arguments.values[OPTION_AUTHFILE]);
	return 0;
}

int credentials_read(struct credentials *credentials, const struct invocation *invocation)
{
	const char *file = invocation->arguments.values[OPTION_AUTHFILE];
	int code = start(credentials, invocation);

	if (code)
		return code;
	/* One that is named on the command line, and missing, is a slip. */
	if (file && access(file, F_OK) < 0)
		return usage_error(invocation, "'--authfile %s': %s", file, strerror(errno));
	if (is_given(invocation, OPTION_CREDS))
		return take_creds(credentials, invocation);
	if (is_given(invocation, OPTION_USERNAME))
		return take_user(credentials, invocation);
	if (is_given(invocation, OPTION_PASSWORD))
		return usage_error(invocation, "'--password' needs '--username'");
	return 0;
}

int credentials_require(struct credentials *credentials, const struct invocation *invocation)
{
	int code = start(credentials, invocation);

	if (code)
		return code;
	if (is_given(invocation, OPTION_USERNAME))
		return take_user(credentials, invocation);
	code = ask_user(credentials, invocation);
	return code ? code : take_password(credentials, invocation);
}

void credentials_use(struct mkrootfs_registry_options *options,
		     const struct credentials *credentials)
{
	options->auth_files = auth_files_list(&credentials->files);
	if (!*credentials->username)
		return;
	options->username = credentials->username;
	options->password = credentials->password;
}

void credentials_forget(struct credentials *credentials)
{
	explicit_bzero(credentials->password, sizeof(credentials->password));
}
