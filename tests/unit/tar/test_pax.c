/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "tar/pax.h"
#include "tar/unescape.h"

static struct tar_text text_of(char *copy, const char *text, size_t len)
{
	memcpy(copy, text, len);
	copy[len] = '\0';
	return (struct tar_text){ copy, len };
}

static const struct {
	const char *text;
	bool valid;
	int64_t value;
} decimals[] = {
	{ "0", true, 0 },
	{ "42", true, 42 },
	{ "-42", true, -42 },
	{ "-0", true, 0 },
	{ "00042", true, 42 },
	{ "9223372036854775807", true, INT64_MAX },
	{ "9223372036854775808", true, INT64_MAX },
	{ "18446744073709551615", true, INT64_MAX },
	{ "18446744073709551616", true, INT64_MAX },
	{ "99999999999999999999999999", true, INT64_MAX },
	{ "-9223372036854775807", true, -INT64_MAX },
	{ "-9223372036854775808", true, INT64_MIN },
	{ "-99999999999999999999999999", true, INT64_MIN },
	{ "", false, 0 },
	{ "-", false, 0 },
	{ "+1", false, 0 },
	{ " 1", false, 0 },
	{ "1 ", false, 0 },
	{ "1.0", false, 0 },
	{ "0x1", false, 0 },
};

static void decodes_decimals(void **state)
{
	char copy[64];

	(void)state;
	for (size_t i = 0; i < sizeof(decimals) / sizeof(decimals[0]); i++) {
		struct tar_text text = text_of(copy, decimals[i].text, strlen(decimals[i].text));
		int64_t value;
		bool valid = tar_decimal(&value, &text);

		if (valid != decimals[i].valid || (valid && value != decimals[i].value))
			fail_msg("'%s': %d, %lld", decimals[i].text, valid, (long long)value);
	}
}

static const struct {
	const char *text;
	bool valid;
	int64_t sec;
	uint32_t nsec;
} times[] = {
	{ "0", true, 0, 0 },
	{ "1.5", true, 1, 500000000 },
	{ "1.000000001", true, 1, 1 },
	{ "1.0000000019", true, 1, 1 },
	{ "1.9999999999", true, 1, 999999999 },
	{ "-1.5", true, -2, 500000000 },
	{ "-0.5", true, -1, 500000000 },
	{ "-0.000000001", true, -1, 999999999 },
	{ "-0.0000000001", true, 0, 0 },
	{ "-1", true, -1, 0 },
	{ "-1.0", true, -1, 0 },
	{ "5.", true, 5, 0 },
	{ ".25", true, 0, 250000000 },
	{ "-.25", true, -1, 750000000 },
	{ "9223372036854775807.999999999", true, INT64_MAX, 999999999 },
	{ "9223372036854775808.5", true, INT64_MAX, 0 },
	{ "-9223372036854775807.5", true, INT64_MIN, 500000000 },
	{ "-9223372036854775808", true, INT64_MIN, 0 },
	{ "-9223372036854775808.5", true, INT64_MIN, 0 },
	{ "-99999999999999999999", true, INT64_MIN, 0 },
	{ "", false, 0, 0 },
	{ ".", false, 0, 0 },
	{ "-", false, 0, 0 },
	{ "-.", false, 0, 0 },
	{ "1.5.5", false, 0, 0 },
	{ "1e9", false, 0, 0 },
	{ "1.5e9", false, 0, 0 },
	{ "1.-5", false, 0, 0 },
	{ "+1.5", false, 0, 0 },
	{ "1,5", false, 0, 0 },
};

static void decodes_times(void **state)
{
	char copy[64];

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct tar_text text = text_of(copy, times[i].text, strlen(times[i].text));
		int64_t sec;
		uint32_t nsec;
		bool valid = tar_decimal_time(&sec, &nsec, &text);

		if (valid != times[i].valid ||
		    (valid && (sec != times[i].sec || nsec != times[i].nsec)))
			fail_msg("'%s': %d, %lld, %u", times[i].text, valid, (long long)sec, nsec);
	}
}

static void takes_records_by_their_length(void **state)
{
	const char body[] = "11 a=\n\0=\n\n\n4 b=\n6 cd=e\n\0\0\0";
	char copy[64];
	struct tar_text rest = text_of(copy, body, sizeof(body) - 1);
	struct tar_pax_record record;
	struct mkrootfs_error error;

	(void)state;
	/* "4 b=\n" is five bytes long, so the length is a lie. */
	assert_int_equal(tar_pax_next(&record, &rest, &error), 1);
	assert_string_equal(record.key.data, "a");
	assert_int_equal(record.value.len, 5);
	assert_memory_equal(record.value.data, "\n\0=\n\n", 6);
	assert_int_equal(tar_pax_next(&record, &rest, &error), MKROOTFS_ERROR_MALFORMED);
}

static void ends_at_the_end_or_at_zeros(void **state)
{
	const char body[] = "5 b=\n7 cd=e\n\0\0\0";
	char copy[64];
	struct tar_text rest = text_of(copy, body, sizeof(body) - 1);
	struct tar_pax_record record;
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(tar_pax_next(&record, &rest, &error), 1);
	assert_string_equal(record.key.data, "b");
	assert_string_equal(record.value.data, "");
	assert_int_equal(tar_pax_next(&record, &rest, &error), 1);
	assert_string_equal(record.key.data, "cd");
	assert_string_equal(record.value.data, "e");
	assert_int_equal(tar_pax_next(&record, &rest, &error), 0);
	rest.len = 0;
	assert_int_equal(tar_pax_next(&record, &rest, &error), 0);
}

static const struct {
	const char *in;
	const char *out; /* NULL: refused */
} percents[] = {
	{ "", "" },	      { "user.k", "user.k" }, { "a%20b", "a b" }, { "%41%42", "AB" },
	{ "%2f%2F", "//" },   { "%25", "%" },	      { "%", NULL },	  { "a%", NULL },
	{ "a%4", NULL },      { "%4g", NULL },	      { "%g4", NULL },	  { "%%41", NULL },
	{ "100%25", "100%" },
};

static const struct {
	const char *in;
	const char *out; /* NULL: refused */
} base64s[] = {
	{ "", "" },	      { "Zg==", "f" },	      { "Zm8=", "fo" },		{ "Zm9v", "foo" },
	{ "Zm9vYg", "foob" }, { "Zm9vYmE", "fooba" }, { "Zm9vYmFy", "foobar" }, { "Z", NULL },
	{ "Zm9vY", NULL },    { "Zg=", NULL },	      { "Z===", NULL },		{ "====", NULL },
	{ "Zg==Zg==", NULL }, { "Zm 9v", NULL },      { "Zm9v\n", NULL },	{ "Zm-_", NULL },
};

static void undoes_percents(void **state)
{
	char copy[64];

	(void)state;
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		struct tar_text text = text_of(copy, percents[i].in, strlen(percents[i].in));
		bool valid = tar_unescape_percent(&text);

		assert_int_equal(valid, percents[i].out != NULL);
		if (valid) {
			assert_int_equal(text.len, strlen(percents[i].out));
			assert_memory_equal(text.data, percents[i].out, text.len);
		}
	}
}

static void undoes_base64(void **state)
{
	char copy[64];

	(void)state;
	for (size_t i = 0; i < sizeof(base64s) / sizeof(base64s[0]); i++) {
		struct tar_text text = text_of(copy, base64s[i].in, strlen(base64s[i].in));
		bool valid = tar_unescape_base64(&text);

		if (valid != (base64s[i].out != NULL))
			fail_msg("'%s': %d", base64s[i].in, valid);
		if (valid) {
			assert_int_equal(text.len, strlen(base64s[i].out));
			assert_memory_equal(text.data, base64s[i].out, text.len);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_decimals),
		cmocka_unit_test(decodes_times),
		cmocka_unit_test(takes_records_by_their_length),
		cmocka_unit_test(ends_at_the_end_or_at_zeros),
		cmocka_unit_test(undoes_percents),
		cmocka_unit_test(undoes_base64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
