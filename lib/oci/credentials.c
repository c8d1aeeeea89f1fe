/* SPDX-License-Identifier: Apache-2.0 */
#include "credentials.h"

#include "../base/base64.h"
#include "../base/secret.h"
#include "auth_file.h"
#include "credential_helper.h"

#include <stdio.h>

#define BASIC_MAX_SIZE (128u << 10) /* bytes of an Authorization header */

bool credentials_known(const struct credentials *credentials)
{
	return (credentials->username && *credentials->username) || credentials->identity_token ||
	       credentials->registry_token;
}

void credentials_clear(struct credentials *credentials)
{
	free(credentials->username);
	secret_free(credentials->password);
	secret_free(credentials->identity_token);
	secret_free(credentials->registry_token);
	free(credentials->source);
	free(credentials->problem);
	*credentials = (struct credentials){ .username = NULL };
}

/* ---- Finding ---- */

static int take_given(struct credentials *out, const struct credential_sources *sources,
		      struct mkrootfs_error *error)
{
	if (strchr(sources->username, ':') || !*sources->username)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the user name '%.100s' is empty or holds a ':'",
				 sources->username);
	out->username = strdup(sources->username);
	out->password = strdup(sources->password ? sources->password : "");
	return out->username && out->password ? 0 : error_no_memory(error);
}

/* From a helper that knows them. */
static int take_answer(struct credentials *out, const struct credential_helper *helper,
		       char *username, char *secret, struct mkrootfs_error *error)
{
	if (!strcmp(username, CREDENTIAL_HELPER_TOKEN_USER)) {
		out->identity_token = secret;
		free(username);
	} else {
		out->username = username;
		out->password = secret;
	}
	if (asprintf(&out->source, "docker-credential-%s", helper->name) >= 0)
		return 0;
	out->source = NULL;
	return error_no_memory(error);
}

static int ask_helper(struct credentials *out, const struct credential_sources *sources,
		      const struct auth_file *file, const char *name, const char *registry,
		      struct mkrootfs_error *error)
{
	const struct credential_helper helper = { name, file->path, sources->helpers };
	char *username, *secret;
	int status = credential_helper_get(&username, &secret, &helper, registry, error);

	if (status < 0 || !secret)
		return status;
	return take_answer(out, &helper, username, secret, error);
}

/*
 * A helper for all registries that is not installed must not keep anybody from public images: it is
 * remembered for the message when access is denied.
 */
static int ask_store(struct credentials *out, const struct credential_sources *sources,
		     const struct auth_file *file, const char *registry,
		     struct mkrootfs_error *error)
{
	const char *name;
	int status = auth_file_store(&name, file, error);

	if (status == 0 && name)
		status = ask_helper(out, sources, file, name, registry, error);
	if (status != MKROOTFS_ERROR_NOT_FOUND)
		return status;
	if (!out->problem)
		out->problem = strdup(error->message);
	return out->problem ? 0 : error_no_memory(error);
}

static int ask_file(struct credentials *out, const struct credential_sources *sources,
		    const struct auth_file *file, const char *registry, const char *repository,
		    struct mkrootfs_error *error)
{
	const char *name;
	int status = auth_file_helper(&name, file, registry, error);

	if (status == 0 && name)
		status = ask_helper(out, sources, file, name, registry, error);
	if (status == 0 && !credentials_known(out))
		status = auth_file_find(out, file, registry, repository, error);
	if (status == 0 && !credentials_known(out) && !name)
		status = ask_store(out, sources, file, registry, error);
	return status;
}

int credentials_find(struct credentials *out, const struct credential_sources *sources,
		     const char *registry, const char *repository, struct mkrootfs_error *error)
{
	int status = 0;

	if (sources->username)
		return take_given(out, sources, error);
	for (size_t i = 0; i < sources->files.count && status == 0 && !credentials_known(out);
	     i++) {
		struct auth_file file;

		status = auth_file_load(&file, sources->files.items[i], error);
		if (status == 0)
			status = ask_file(out, sources, &file, registry, repository, error);
		auth_file_unload(&file);
	}
	return status;
}

/* ---- Using ---- */

int credentials_basic(char **out, const char *username, const char *password,
		      struct mkrootfs_error *error)
{
	struct buf pair = BUF_INIT(BASIC_MAX_SIZE), value = BUF_INIT(BASIC_MAX_SIZE);
	int status = buf_printf(&pair, error, "%s:%s", username, password);

	*out = NULL;
	if (status == 0)
		status = buf_append_string(&value, "Basic ", error);
	if (status == 0)
		status = base64_append(&value, pair.data, pair.len, error);
	if (status == 0) {
		*out = strdup((const char *)value.data);
		if (!*out)
			status = error_no_memory(error);
	}
	buf_wipe(&pair);
	buf_wipe(&value);
	return status;
}

void credentials_redact(struct mkrootfs_error *error, const struct credentials *credentials)
{
	struct mkrootfs_error ignored;
	char *basic = NULL;

	secret_redact(error->message, credentials->password);
	secret_redact(error->message, credentials->identity_token);
	secret_redact(error->message, credentials->registry_token);
	if (credentials->username && credentials->password &&
	    credentials_basic(&basic, credentials->username, credentials->password, &ignored) == 0)
		secret_redact(error->message, basic + strlen("Basic "));
	secret_free(basic);
}
