/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"

/* The vectors of RFC 4648, section 10, and both special digits. */
static const struct {
	const char *data, *text;
} pairs[] = {
	{ "", "" },
	{ "f", "Zg==" },
	{ "fo", "Zm8=" },
	{ "foo", "Zm9v" },
	{ "foob", "Zm9vYg==" },
	{ "fooba", "Zm9vYmE=" },
	{ "foobar", "Zm9vYmFy" },
	{ "\xfb\xff\xbf", "+/+/" },
};

static void encodes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct buf out = BUF_INIT(100);
		struct mkrootfs_error error;

		assert_int_equal(base64_append(&out, pairs[i].data, strlen(pairs[i].data), &error),
				 0);
		assert_string_equal(out.data ? (char *)out.data : "", pairs[i].text);
		buf_free(&out);
	}
}

static void decodes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		for (int bare = 0; bare < 2; bare++) {
			char text[32];
			size_t len;

			strcpy(text, pairs[i].text);
			len = bare ? strcspn(text, "=") : strlen(text);
			assert_true(base64_decode(text, &len));
			assert_int_equal(len, strlen(pairs[i].data));
			assert_memory_equal(text, pairs[i].data, len);
		}
	}
}

static const char *const refused[] = { "Z",    "Zg=",	    "Zg===", "Z=g=",
				       "====", "Zm9v Zg==", "Zm-v",  "Zm9vZ" };

static void refuses_what_is_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char text[32];
		size_t len = strlen(refused[i]);

		strcpy(text, refused[i]);
		if (base64_decode(text, &len))
			fail_msg("'%s' was taken", refused[i]);
	}
}

static void keeps_to_the_cap(void **state)
{
	struct buf out = BUF_INIT(7);
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(base64_append(&out, "fooba", 5, &error), MKROOTFS_ERROR_LIMIT);
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(encodes),
		cmocka_unit_test(decodes),
		cmocka_unit_test(refuses_what_is_none),
		cmocka_unit_test(keeps_to_the_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
