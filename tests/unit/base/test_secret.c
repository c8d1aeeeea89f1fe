/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "base/jval.h"
#include "base/secret.h"

static const struct {
	const char *message, *secret, *after;
} redactions[] = {
	{ "said Basic Ym9iOnB3 twice: Ym9iOnB3", "Ym9iOnB3",
	  "said Basic ******** twice: ********" },
	{ "cut: 0123456789abcdefgh", "0123456789abcdefghijklmnop", "cut: ******************" },
	{ "a start alone: 0123456789", "0123456789abcdefghijklmnop", "a start alone: 0123456789" },
	{ "denied", "nie", "denied" },
	{ "nothing", NULL, "nothing" },
	{ "", "secret", "" },
};

static void redacts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(redactions) / sizeof(redactions[0]); i++) {
		char message[100];

		snprintf(message, sizeof(message), "%s", redactions[i].message);
		secret_redact(message, redactions[i].secret);
		assert_string_equal(message, redactions[i].after);
	}
}

/* The excerpt that a parser shows could be a password. */
static void a_broken_document_is_not_quoted(void **state)
{
	static const char text[] = "{\n  \"auth\": \"c2VjcmV0\n}";
	struct mkrootfs_error error;
	struct jval *root;

	(void)state;
	assert_int_equal(jval_parse_secret(&root, text, sizeof(text) - 1, &error),
			 MKROOTFS_ERROR_MALFORMED);
	assert_null(root);
	assert_non_null(strstr(error.message, "line 2, column "));
	assert_null(strstr(error.message, "c2Vj"));
}

static void edits_in_place(void **state)
{
	static const char text[] =
		"{\"z\": 1.5, \"a\": {\"\303\251\": null}, \"m\": [true, 12345678901]}";
	struct mkrootfs_error error;
	struct jval *root;
	char *out;

	(void)state;
	assert_int_equal(jval_parse_secret(&root, text, sizeof(text) - 1, &error), 0);
	assert_string_equal(jval_next_key(root, NULL), "z");
	assert_string_equal(jval_next_key(root, "z"), "a");
	assert_null(jval_next_key(root, "m"));
	assert_null(jval_next_key(root, "unknown"));
	assert_null(jval_next_key(NULL, NULL));
	assert_int_equal(jval_put(jval_edit(root, "a"), "new", jval_new_text("n"), &error), 0);
	assert_int_equal(jval_put(root, "z", jval_new_text("y"), &error), 0);
	assert_int_equal(jval_put(root, "x", NULL, &error), MKROOTFS_ERROR_NO_MEMORY);
	assert_true(jval_remove(root, "m"));
	assert_false(jval_remove(root, "m"));
	assert_int_equal(jval_rewrite(&out, root, &error), 0);
	assert_string_equal(out, "{\n  \"z\": \"y\",\n  \"a\": {\n    \"\303\251\": null,\n"
				 "    \"new\": \"n\"\n  }\n}");
	secret_free(out);
	jval_wipe(root);
	jval_wipe(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(redacts),
		cmocka_unit_test(a_broken_document_is_not_quoted),
		cmocka_unit_test(edits_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
