/* SPDX-License-Identifier: Apache-2.0 */
#include "login.h"

#include "../oci/auth_edit.h"
#include "../oci/auth_file.h"
#include "../oci/auth_target.h"
#include "../oci/credential_helper.h"
#include "../oci/registry.h"
#include "cert_dir.h"
#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Credential helpers ---- */

/* The helper that a file names for a registry, else for all; *name NULL: none. */
static int find_helper(const char **name, const struct auth_file *file, const char *registry,
		       struct mkrootfs_error *error)
{
	int status = auth_file_helper(name, file, registry, error);

	return status < 0 || *name ? status : auth_file_store(name, file, error);
}

/* *kept: a helper has it now. */
static int store_by_helper(bool *kept, const struct mkrootfs_login_options *options,
			   const struct auth_target *target, struct events *events,
			   struct mkrootfs_error *error)
{
	const char *registry = target->reference.registry;
	struct credential_helper helper = {
		.file = options->auth_file, .limits = { .wait = events_wait, .wait_user = events }
	};
	struct auth_file file;
	int status = auth_file_load(&file, options->auth_file, error);

	*kept = false;
	if (status == 0)
		status = find_helper(&helper.name, &file, registry, error);
	if (status == 0 && helper.name && target->path[0])
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				   "'%.200s': the credential helper %.100s of '%.300s' keeps "
				   "registries, not parts of them",
				   target->key, helper.name, options->auth_file);
	if (status == 0 && helper.name) {
		status = credential_helper_store(&helper, registry, options->connection.username,
						 options->connection.password, error);
		*kept = status == 0;
	}
	auth_file_unload(&file);
	return status;
}

/* ---- Login ---- */

static int check(const struct mkrootfs_login_options *options, const struct auth_target *target,
		 struct events *events, struct mkrootfs_error *error)
{
	struct registry_options registry = { .settings = options->connection,
					     .wait = events_wait,
					     .wait_user = events,
					     .warn = events_warn,
					     .warn_user = events };
	const char *host = target->reference.registry;
	char text[400], *cert_dir = NULL;
	bool checked = false;
	int status = 0;

	if (!registry.settings.cert_dir)
		status = cert_dir_find(&cert_dir, &registry.settings.certs_dirs, host, error);
	if (cert_dir)
		registry.settings.cert_dir = cert_dir;
	if (status == 0)
		status = registry_check_login(&checked, &target->reference, &registry, error);
	free(cert_dir);

	if (status < 0 || checked)
		return status;
	snprintf(text, sizeof(text),
		 "%s lets everybody in: the user name and the password were not checked", host);
	events_warn(events, text);
	return events_check(events, error);
}

int login(const struct mkrootfs_login_options *options, struct mkrootfs_error *error)
{
	struct events events = { .fn = options->events, .user = options->events_user };
	const struct mkrootfs_registry_options *connection = &options->connection;
	struct auth_target target;
	bool kept = false;
	int status = auth_target_parse(&target, options->registry, error);

	/* What could not be kept is not sent. */
	if (status == 0)
		status = auth_edit_check(options->auth_file, error);
	if (status == 0)
		status = check(options, &target, &events, error);
	if (status == 0)
		status = store_by_helper(&kept, options, &target, &events, error);
	if (status < 0)
		return status;
	return auth_edit_set(options->auth_file, target.key, kept ? NULL : connection->username,
			     connection->password, error);
}

/* ---- Logout ---- */

static int erase(bool *erased, const struct auth_file *file, const char *name, const char *key,
		 struct mkrootfs_error *error)
{
	const struct credential_helper helper = { .name = name, .file = file->path };
	bool one;
	int status = credential_helper_erase(&one, &helper, key, error);

	*erased |= status == 0 && one;
	return status;
}

static int erase_one(bool *erased, const struct auth_file *file, const struct auth_target *target,
		     struct mkrootfs_error *error)
{
	const char *name;
	int status = find_helper(&name, file, target->reference.registry, error);

	if (status < 0 || !name || target->path[0])
		return status;
	return erase(erased, file, name, target->reference.registry, error);
}

/* What the helpers have of the registries that the file knows. */
static int erase_all(bool *erased, const struct auth_file *file, struct mkrootfs_error *error)
{
	const struct jval *helpers = jval_get(file->root, "credHelpers");
	const struct jval *entries = jval_get(file->root, "auths");
	const char *key = NULL, *store;
	int status = auth_file_store(&store, file, error);

	while (status == 0 && (key = jval_next_key(helpers, key))) {
		const char *name = jval_text(jval_get(helpers, key));

		if (name && *name)
			status = erase(erased, file, name, key, error);
	}
	while (status == 0 && store && (key = jval_next_key(entries, key)))
		if (!jval_get(helpers, key))
			status = erase(erased, file, store, key, error);
	return status;
}

int logout(const char *registry, const char *auth_file, struct mkrootfs_error *error)
{
	bool erased = false, removed = false;
	struct auth_target target;
	struct auth_file file = { .path = auth_file };
	int status = registry ? auth_target_parse(&target, registry, error) : 0;

	if (status == 0)
		status = auth_file_load(&file, auth_file, error);
	if (status == 0)
		status = registry ? erase_one(&erased, &file, &target, error)
				  : erase_all(&erased, &file, error);
	auth_file_unload(&file);
	if (status == 0)
		status = auth_edit_remove(&removed, auth_file, registry ? target.key : NULL, error);
	if (status < 0 || erased || removed)
		return status;
	error_set(error, MKROOTFS_ERROR_NOT_FOUND, "'%.300s' has no credentials for %.200s",
		  auth_file, registry ? target.key : "any registry");
	return error_advise(error, "name another file by --authfile");
}

/* ---- Who is logged in ---- */

int login_user(char user[MKROOTFS_USER_SIZE], const char *registry,
	       const struct mkrootfs_registry_options *options, struct mkrootfs_error *error)
{
	const struct credential_sources sources = { .files = options->auth_files };
	struct credentials credentials = { .username = NULL };
	struct auth_target target;
	int status = auth_target_parse(&target, registry, error);
	const char *name;

	if (status == 0)
		status = credentials_find(&credentials, &sources, target.reference.registry,
					  target.path, error);
	name = credentials.username && *credentials.username ? credentials.username
							     : CREDENTIAL_HELPER_TOKEN_USER;
	if (status == 0 && !credentials_known(&credentials)) {
		status = error_set(error, MKROOTFS_ERROR_NOT_FOUND, "not logged in to %.200s",
				   target.key);
		error_advise(error, "'mkrootfs login %.200s' stores credentials for it",
			     target.key);
	}
	if (status == 0)
		snprintf(user, MKROOTFS_USER_SIZE, "%s", name);
	credentials_clear(&credentials);
	return status;
}
