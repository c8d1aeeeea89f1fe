/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and entries of auth files, as podman and docker write them and as people do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oci/auth_file.h"
#include "oci/auth_key.h"
#include "temp_folder.h"

/* Each key beats those behind it; the last one does not fit at all. */
static const struct {
	const char *registry, *repository, *keys[8];
} ranks[] = {
	{ "ghcr.io",
	  "a/b/c",
	  { "ghcr.io/a/b/c", "ghcr.io/a/b", "ghcr.io/a", "ghcr.io", "https://ghcr.io/a/b/c",
	    "ghcr.io/a/b/c/d" } },
	{ "docker.io",
	  "library/x",
	  { "docker.io/library/x", "index.docker.io/library", "docker.io",
	    "https://index.docker.io/v1/", "docker.com" } },
	{ "docker.io", "x/y", { "registry-1.docker.io/x", "index.docker.io", "docker.io/x/yy" } },
	{ "h:5000", "x", { "h:5000/x", "h:5000", "http://h:5000", "h" } },
	{ "h:5000", "x", { "h:5000", "h:5000/v2/", "h:5001" } },
	{ "h", "v2/x", { "h/v2", "h", "h/v1", "h/v3" } },
	{ "h", "", { "H", "https://H/v2/", "h/x" } },
	{ "[::1]:5000", "x", { "[::1]:5000", "[::1]" } },
	{ "h", "x", { "h", "https://h", "h.example" } },
	{ "h", "x", { "h", "ftp://h" } },
	{ "h", "ab", { "h/ab", "h/a" } },
	{ "h", "x", { "h", "" } },
};

static void ranks_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		unsigned last = ~0u;

		for (size_t k = 0; ranks[i].keys[k]; k++) {
			bool fits = ranks[i].keys[k + 1] != NULL;
			unsigned rank = auth_key_rank(ranks[i].keys[k], ranks[i].registry,
						      ranks[i].repository);

			if (rank >= last || (rank > 0) != fits)
				fail_msg("%s for %s/%s: %u", ranks[i].keys[k], ranks[i].registry,
					 ranks[i].repository, rank);
			last = rank;
		}
	}
}

static void equals_keys(void **state)
{
	(void)state;
	assert_true(auth_key_equal("docker.io", "https://index.docker.io/v1/"));
	assert_true(auth_key_equal("GHCR.io", "ghcr.io/"));
	assert_true(auth_key_equal("h/a/", "h/a"));
	assert_true(auth_key_equal("h/v2/", "http://h/whatever"));
	assert_false(auth_key_equal("h/a", "h"));
	assert_false(auth_key_equal("h/a", "h/b"));
	assert_false(auth_key_equal("h:1", "h:2"));
	assert_true(auth_key_is_hub("https://index.docker.io/v1/"));
	assert_false(auth_key_is_hub("index.docker.io.example"));
}

/* bob:pw is Ym9iOnB3, eve:a:b:c is ZXZlOmE6Yjpj. */
static const struct {
	const char *json, *repository, *username, *password, *identity, *registry_token;
} entries[] = {
	{ "{\"auths\":{\"r.io\":{\"auth\":\"Ym9iOnB3\"}}}", "x", "bob", "pw", NULL, NULL },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"ZXZlOmE6Yjpj\"}}}", "x", "eve", "a:b:c", NULL, NULL },
	{ "{\"r.io\":{\"auth\":\"Ym9iOnB3\",\"email\":\"e\"}}", "x", "bob", "pw", NULL, NULL },
	{ "{\"https://r.io/v1/\":{\"auth\":\"Ym9iOnB3\"}}", "x", "bob", "pw", NULL, NULL },
	/* Wrapped text, no padding, NULs behind the password. */
	{ "{\"auths\":{\"r.io\":{\"auth\":\"Ym9i\\r\\nOnB3\\n\"}}}", "x", "bob", "pw", NULL, NULL },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"Ym9iOnB3AAA\"}}}", "x", "bob", "pw", NULL, NULL },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"Ym9iOg==\"}}}", "x", "bob", "", NULL, NULL },
	{ "{\"auths\":{\"r.io\":{\"username\":\"u\",\"password\":\"p\"}}}", "x", "u", "p", NULL,
	  NULL },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"Ym9iOg==\",\"identitytoken\":\"i\"}}}", "x", "bob", "",
	  "i", NULL },
	{ "{\"auths\":{\"r.io\":{\"registrytoken\":\"t\",\"identitytoken\":null}}}", "x", NULL,
	  NULL, NULL, "t" },
	/* The closest entry that holds something. */
	{ "{\"auths\":{\"r.io\":{\"auth\":\"Ym9iOnB3\"},\"r.io/a\":{\"auth\":\"ZXZlOmE6Yjpj\"}}}",
	  "a/b", "eve", "a:b:c", NULL, NULL },
	{ "{\"auths\":{\"r.io/a\":{},\"r.io\":{\"auth\":\"Ym9iOnB3\"}}}", "a/b", "bob", "pw", NULL,
	  NULL },
	{ "{\"auths\":{\"http://r.io\":{\"auth\":\"\"},\"https://r.io\":{\"auth\":\"Ym9iOnB3\"}}}",
	  "a/b", "bob", "pw", NULL, NULL },
	/* Broken entries of others are none of our business. */
	{ "{\"auths\":{\"other\":{\"auth\":7},\"r.io\":{\"auth\":\"Ym9iOnB3\"}}}", "x", "bob", "pw",
	  NULL, NULL },
	/* Nothing for us. */
	{ "{\"auths\":{\"other\":{\"auth\":\"Ym9iOnB3\"}}}", "x", NULL, NULL, NULL, NULL },
	{ "{\"auths\":{\"r.io/b\":{\"auth\":\"Ym9iOnB3\"}}}", "a", NULL, NULL, NULL, NULL },
	{ "{\"auths\":null,\"r.io\":{\"auth\":\"Ym9iOnB3\"}}", "a", NULL, NULL, NULL, NULL },
	{ "{\"credHelpers\":{},\"r.io\":{\"auth\":\"Ym9iOnB3\"}}", "a", NULL, NULL, NULL, NULL },
	{ "{\"auths\":{\"r.io\":null}}", "a", NULL, NULL, NULL, NULL },
	{ "{}", "a", NULL, NULL, NULL, NULL },
	{ "", "a", NULL, NULL, NULL, NULL },
	{ " \n", "a", NULL, NULL, NULL, NULL },
};

static void assert_text(const char *json, const char *actual, const char *expected)
{
	if (!actual != !expected || (actual && strcmp(actual, expected) != 0))
		fail_msg("%s: '%s' instead of '%s'", json, actual ? actual : "(null)",
			 expected ? expected : "(null)");
}

static void finds_entries(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		const char *json = entries[i].json;
		struct credentials c = { .username = NULL };
		struct mkrootfs_error error;
		struct auth_file file;

		assert_int_equal(auth_file_parse(&file, "f", json, strlen(json), &error), 0);
		if (auth_file_find(&c, &file, "r.io", entries[i].repository, &error) < 0)
			fail_msg("%s: %s", json, error.message);
		assert_text(json, c.username, entries[i].username);
		assert_text(json, c.password, entries[i].password);
		assert_text(json, c.identity_token, entries[i].identity);
		assert_text(json, c.registry_token, entries[i].registry_token);
		assert_text(json, c.source, credentials_known(&c) ? "f" : NULL);
		credentials_clear(&c);
		auth_file_unload(&file);
	}
}

static const struct {
	const char *json, *says;
} broken[] = {
	{ "[]", "auth file 'f': it, or 'auths' in it, is no JSON object" },
	{ "{\"auths\":[]}", "auth file 'f': it, or 'auths' in it" },
	{ "{\n\"auths\":{\"r.io\":{\"auth\":\"SECRET", "auth file 'f': not JSON: line 2, column " },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"SECRET!\"}}}",
	  "auth file 'f': 'r.io': 'auth' is no user:password in base64" },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"SECRETno\"}}}", "'auth' is no user:password" },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"YQBiOnB3\"}}}", "'auth' is no user:password" },
	{ "{\"auths\":{\"r.io\":{\"auth\":7}}}", "'r.io': what should be text is none" },
	{ "{\"auths\":{\"r.io\":[\"SECRET\"]}}", "'r.io': the entry is no JSON object" },
	{ "{\"auths\":{\"r.io\":{\"identitytoken\":\"a\\r\\nX-SECRET: 1\"}}}",
	  "a token holds bytes that no token may hold" },
	{ "{\"auths\":{\"r.io\":{},\"r.io\":{}}}", "not JSON: line 1" },
};

static void names_what_is_wrong(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		const char *json = broken[i].json;
		struct credentials c = { .username = NULL };
		struct mkrootfs_error error = { .message = "" };
		struct auth_file file;
		int status = auth_file_parse(&file, "f", json, strlen(json), &error);

		if (status == 0)
			status = auth_file_find(&c, &file, "r.io", "x", &error);
		if (status != MKROOTFS_ERROR_MALFORMED || !strstr(error.message, broken[i].says) ||
		    strstr(error.message, "SECRET"))
			fail_msg("%s: %d %s", json, status, error.message);
		credentials_clear(&c);
		auth_file_unload(&file);
	}
}

static void names_helpers(void **state)
{
	static const char json[] = "{\"credHelpers\":{\"r.io\":\"one\",\"docker.io\":\"two\","
				   "\"bad\":3,\"empty\":\"\"},\"credsStore\":\"all\"}";
	struct mkrootfs_error error;
	struct auth_file file;
	const char *name;

	(void)state;
	assert_int_equal(auth_file_parse(&file, "f", json, strlen(json), &error), 0);
	assert_int_equal(auth_file_helper(&name, &file, "r.io", &error), 0);
	assert_string_equal(name, "one");
	assert_int_equal(auth_file_helper(&name, &file, "index.docker.io", &error), 0);
	assert_string_equal(name, "two");
	assert_int_equal(auth_file_helper(&name, &file, "other", &error), 0);
	assert_null(name);
	assert_int_equal(auth_file_helper(&name, &file, "empty", &error), 0);
	assert_null(name);
	assert_int_equal(auth_file_helper(&name, &file, "bad", &error), MKROOTFS_ERROR_MALFORMED);
	assert_int_equal(auth_file_store(&name, &file, &error), 0);
	assert_string_equal(name, "all");
	auth_file_unload(&file);
}

static void reads_only_files(void **state)
{
	struct temp_folder folder;
	struct mkrootfs_error error;
	struct auth_file file;
	FILE *big;

	(void)state;
	temp_folder_make(&folder);
	assert_int_equal(auth_file_load(&file, temp_folder_path(&folder, "none"), &error), 0);
	assert_null(file.root);
	assert_int_equal(auth_file_load(&file, temp_folder_path(&folder, "none/below"), &error), 0);
	assert_int_equal(mkfifo(temp_folder_path(&folder, "fifo"), 0600), 0);
	assert_int_equal(auth_file_load(&file, temp_folder_path(&folder, "fifo"), &error),
			 MKROOTFS_ERROR_MALFORMED);
	assert_non_null(strstr(error.message, "fifo"));
	big = fopen(temp_folder_path(&folder, "big"), "w");
	for (int i = 0; i < (1 << 20) + 1; i++)
		fputc(' ', big);
	fclose(big);
	assert_int_equal(auth_file_load(&file, temp_folder_path(&folder, "big"), &error),
			 MKROOTFS_ERROR_LIMIT);
	assert_non_null(strstr(error.message, "big"));
	temp_folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_keys),	 cmocka_unit_test(equals_keys),
		cmocka_unit_test(finds_entries), cmocka_unit_test(names_what_is_wrong),
		cmocka_unit_test(names_helpers), cmocka_unit_test(reads_only_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
