/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Auth files: any bytes, in which several registries are looked up, and each of the file's own
 * keys. What is found must be something, and a target that is accepted must mean itself again.
 */
#include "oci/auth_file.h"
#include "oci/auth_key.h"
#include "oci/auth_target.h"

#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 32 /* of a file that are looked up in it */

static const char *const places[][2] = {
	{ "docker.io", "library/x" }, { "quay.io", "a/b" }, { "h:5000", "" },
	{ "[::1]:5000", "v2/x" },     { "localhost", "x" },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_up(const struct auth_file *file, const char *registry, const char *repository)
{
	struct credentials found = { 0 };
	struct mkrootfs_error error;
	const char *helper;
	int status = auth_file_find(&found, file, registry, repository, &error);

	if (status == 0 && credentials_known(&found) != (found.source != NULL))
		abort();
	if (status == 0 && found.username && !found.password)
		abort();
	credentials_clear(&found);
	if (auth_file_helper(&helper, file, registry, &error) == 0 && helper && !*helper)
		abort();
}

static void try_target(const char *text)
{
	struct auth_target first, second;
	struct mkrootfs_error error;

	if (auth_target_parse(&first, text, &error) < 0)
		return;
	if (auth_target_parse(&second, first.key, &error) < 0 ||
	    strcmp(first.key, second.key) != 0 ||
	    auth_key_rank(first.key, first.reference.registry, first.path) == 0)
		abort();
}

static void try_key(const struct auth_file *file, const char *key)
{
	size_t len = strcspn(key, "/");
	char *registry = strndup(key, len);

	if (!auth_key_equal(key, key))
		abort();
	auth_key_is_hub(key);
	try_target(key);
	look_up(file, registry, key[len] ? key + len + 1 : "");
	free(registry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mkrootfs_error error;
	struct auth_file file;
	const char *name, *key = NULL;

	if (auth_file_parse(&file, "auth.json", data, size, &error) < 0)
		return 0;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		look_up(&file, places[i][0], places[i][1]);
	for (int i = 0; i < KEYS_MAX && (key = jval_next_key(auth_file_entries(&file), key)); i++)
		try_key(&file, key);
	auth_file_store(&name, &file, &error);
	auth_file_unload(&file);
	return 0;
}
