/* SPDX-License-Identifier: Apache-2.0 */
/* Registries: what is said of them, and who logs in. */
#include "api.h"

#include "rootfs/login.h"

static bool has_null_item(const struct mkrootfs_string_list *list)
{
	return list->count > 0 && (!list->items || has_null(list->items, list->count));
}

int api_check_registry(const struct mkrootfs_registry_options *options,
		       struct mkrootfs_error *error)
{
	if (options->password && !options->username)
		return missing(error, "the user name of a password");
	if (has_null_item(&options->auth_files))
		return missing(error, "an auth file's path");
	if (has_null_item(&options->registries_conf) || has_null_item(&options->mirrors) ||
	    has_null_item(&options->certs_dirs))
		return missing(error, "an item of a list for registries");
	return 0;
}

int mkrootfs_login(const struct mkrootfs_login_options *options, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!options || !options->registry)
		return missing(error, "the registry");
	if (!options->auth_file)
		return missing(error, "the auth file's path");
	if (!options->connection.username || !options->connection.password)
		return missing(error, "the user name or the password");
	if (api_check_registry(&options->connection, error) < 0)
		return error->status;
	return done(login(options, error), error);
}

int mkrootfs_logout(const char *registry, const char *auth_file, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!auth_file)
		return missing(error, "the auth file's path");
	return done(logout(registry, auth_file, error), error);
}

int mkrootfs_login_user(char user[MKROOTFS_USER_SIZE], const char *registry,
			const struct mkrootfs_registry_options *options,
			struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*user = '\0';
	if (!registry || !options)
		return missing(error, registry ? "the options" : "the registry");
	if (api_check_registry(options, error) < 0)
		return error->status;
	return done(login_user(user, registry, options, error), error);
}
