/* SPDX-License-Identifier: Apache-2.0 */
#include "credential_helper.h"

#include "../base/jval.h"
#include "../base/secret.h"
#include "auth_key.h"

#include <stdio.h>

#define PREFIX "docker-credential-"
#define NAME_MAX_SIZE 100 /* bytes */
#define HUB "https://index.docker.io/v1/"

/* What a helper says, on standard output, when it has no such server. */
#define NOT_FOUND_WORDS "credentials not found"

/* Letters, digits, '_', '.' and '-': nothing that a path or an option is made of. */
static bool is_plain_word(const char *name)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
	size_t len = strlen(name);

	return len > 0 && len <= NAME_MAX_SIZE && strspn(name, allowed) == len;
}

static const char *server_of(const char *registry)
{
	return auth_key_is_hub(registry) ? HUB : registry;
}

/* The first line that a helper says about its failure: on either stream, but never its answer. */
static const char *words_of(const struct program_result *result)
{
	const char *said = result->err.len ? (const char *)result->err.data : "";

	said += strspn(said, " \t\r\n");
	if (*said || !result->out.len)
		return said;
	said = (const char *)result->out.data;
	said += strspn(said, " \t\r\n");
	return *said == '{' ? "" : said;
}

static bool says_not_found(const struct program_result *result)
{
	return (result->out.len && strstr((char *)result->out.data, NOT_FOUND_WORDS)) ||
	       (result->err.len && strstr((char *)result->err.data, NOT_FOUND_WORDS));
}

static int failed(const struct program_result *result, struct mkrootfs_error *error)
{
	const char *words = words_of(result);

	return error_set(error, MKROOTFS_ERROR_DENIED, "exit code %d%s%.*s", result->exit_code,
			 *words ? ": " : "", (int)strcspn(words, "\r\n"), words);
}

/* The result is to be cleared in any case. *found is false when the helper has no such server. */
static int run(bool *found, struct program_result *result, const struct credential_helper *helper,
	       const char *action, const char *input, struct mkrootfs_error *error)
{
	char program[sizeof(PREFIX) + NAME_MAX_SIZE];
	const char *const words[] = { program, action, NULL };

	*found = false;
	*result = (struct program_result){ .exit_code = 0 };
	if (!is_plain_word(helper->name))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "'%.100s' is no name of a credential helper", helper->name);
	snprintf(program, sizeof(program), PREFIX "%s", helper->name);
	if (program_run(result, words, input, &helper->limits, error) < 0)
		return error->status;
	*found = result->exit_code == 0;
	if (*found || says_not_found(result))
		return 0;
	return failed(result, error);
}

static int prefix(struct mkrootfs_error *error, const struct credential_helper *helper)
{
	return error_prefix(error, "credential helper %.100s, named by '%.300s': ", helper->name,
			    helper->file);
}

static int copy_answer(char **username, char **secret, const struct jval *root,
		       struct mkrootfs_error *error)
{
	const char *user = jval_text(jval_get(root, "Username"));
	const char *word = jval_text(jval_get(root, "Secret"));

	if (!user || !word)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "its answer has no Username and Secret");
	if (!*user && !*word)
		return 0;
	*username = strdup(user);
	*secret = strdup(word);
	return *username && *secret ? 0 : error_no_memory(error);
}

static int read_answer(char **username, char **secret, const struct program_result *result,
		       struct mkrootfs_error *error)
{
	struct jval *root;
	int status = jval_parse_secret(&root, result->out.data, result->out.len, error);

	if (status < 0)
		return error_prefix(error, "its answer is ");
	status = copy_answer(username, secret, root, error);
	jval_wipe(root);
	return status;
}

static int get(char **username, char **secret, const struct credential_helper *helper,
	       const char *server, struct mkrootfs_error *error)
{
	struct program_result result;
	bool found;
	int status = run(&found, &result, helper, "get", server, error);

	if (status == 0 && found)
		status = read_answer(username, secret, &result, error);
	program_result_clear(&result);
	return status;
}

int credential_helper_get(char **username, char **secret, const struct credential_helper *helper,
			  const char *registry, struct mkrootfs_error *error)
{
	int status;

	*username = *secret = NULL;
	status = get(username, secret, helper, server_of(registry), error);
	/* Podman has the Hub's under its short name. */
	if (status == 0 && !*secret && auth_key_is_hub(registry))
		status = get(username, secret, helper, "docker.io", error);
	if (status == 0)
		return 0;
	free(*username);
	secret_free(*secret);
	*username = *secret = NULL;
	return prefix(error, helper);
}

static int format_request(char **out, const char *server, const char *username, const char *secret,
			  struct mkrootfs_error *error)
{
	struct jval *root = jval_new_object();
	int status;

	jval_set(root, "ServerURL", jval_new_text(server));
	jval_set(root, "Username", jval_new_text(username));
	jval_set(root, "Secret", jval_new_text(secret));
	status = jval_dump(out, root, error);
	jval_wipe(root);
	return status;
}

int credential_helper_store(const struct credential_helper *helper, const char *registry,
			    const char *username, const char *secret, struct mkrootfs_error *error)
{
	struct program_result result = { .exit_code = 0 };
	char *request = NULL;
	bool stored = false;
	int status = format_request(&request, server_of(registry), username, secret, error);

	if (status == 0)
		status = run(&stored, &result, helper, "store", request, error);
	if (status == 0 && !stored)
		status = failed(&result, error);
	program_result_clear(&result);
	secret_free(request);
	return status < 0 ? prefix(error, helper) : 0;
}

int credential_helper_erase(bool *erased, const struct credential_helper *helper,
			    const char *registry, struct mkrootfs_error *error)
{
	struct program_result result;
	int status = run(erased, &result, helper, "erase", server_of(registry), error);

	program_result_clear(&result);
	return status < 0 ? prefix(error, helper) : 0;
}
