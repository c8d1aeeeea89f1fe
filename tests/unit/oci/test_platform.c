/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "oci/platform.h"

static const struct {
	const char *in;
	const char *out; /* NULL: refused */
} spellings[] = {
	{ "linux/amd64", "linux/amd64" },
	{ "Linux/X86_64", "linux/amd64" },
	{ "linux/x86-64", "linux/amd64" },
	{ "linux/amd64/v1", "linux/amd64" },
	{ "linux/amd64/v3", "linux/amd64/v3" },
	{ "linux/arm64", "linux/arm64" },
	{ "linux/arm64/v8", "linux/arm64" },
	{ "linux/arm64/8", "linux/arm64" },
	{ "linux/aarch64", "linux/arm64" },
	{ "linux/arm64/v9", "linux/arm64/v9" },
	{ "linux/arm", "linux/arm/v7" },
	{ "linux/arm/7", "linux/arm/v7" },
	{ "linux/armhf", "linux/arm/v7" },
	{ "linux/armel", "linux/arm/v6" },
	{ "linux/armel/v5", "linux/arm/v5" },
	{ "linux/i386", "linux/386" },
	{ "linux/riscv64", "linux/riscv64" },
	{ "windows/amd64", "windows/amd64" },
	{ "linux/ppc64le/power9", "linux/ppc64le/power9" },
	{ "", NULL },
	{ "linux", NULL },
	{ "linux/", NULL },
	{ "/amd64", NULL },
	{ "linux//v7", NULL },
	{ "linux/arm/", NULL },
	{ "linux/arm/v7/x", NULL },
	{ "linux/arm v7", NULL },
	{ "linux/arm\n", NULL },
	{ "linux/0123456789012345678901234567890", "linux/0123456789012345678901234567890" },
	{ "linux/01234567890123456789012345678901", NULL },
	{ "linux/arm/v234567890123456", NULL },
};

static void normalises_spellings(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		struct mkrootfs_error error;
		struct platform p;
		char text[PLATFORM_TEXT_SIZE];
		int status = platform_parse(&p, spellings[i].in, &error);

		if (!spellings[i].out) {
			assert_int_equal(status, MKROOTFS_ERROR_INVALID);
			continue;
		}
		assert_int_equal(status, 0);
		platform_format(text, &p);
		assert_string_equal(text, spellings[i].out);
	}
}

/* candidates are tried in the given and in the reverse order. */
static const struct {
	const char *wanted;
	const char *candidates[4];
	const char *best; /* NULL: none serves */
} choices[] = {
	{ "linux/amd64", { "linux/arm64", "linux/amd64" }, "linux/amd64" },
	{ "linux/amd64", { "windows/amd64", "linux/386" }, NULL },
	{ "linux/arm64", { "linux/arm64/v8" }, "linux/arm64" },
	{ "linux/arm64/v8", { "linux/arm64" }, "linux/arm64" },
	{ "linux/arm64/v9", { "linux/arm64", "linux/arm64/v8.2" }, "linux/arm64/v8.2" },
	{ "linux/arm64", { "linux/arm64/v9" }, NULL },
	{ "linux/arm/v7", { "linux/arm/v5", "linux/arm/v6", "linux/arm/v7" }, "linux/arm/v7" },
	{ "linux/arm/v6", { "linux/arm/v5", "linux/arm/v6", "linux/arm/v7" }, "linux/arm/v6" },
	{ "linux/arm/v5", { "linux/arm/v6", "linux/arm/v5", "linux/arm/v7" }, "linux/arm/v5" },
	{ "linux/arm/v6", { "linux/arm/v7", "linux/arm/v5" }, "linux/arm/v5" },
	{ "linux/arm/v6", { "linux/arm/v7" }, NULL },
	{ "linux/arm/v6", { "linux/arm" }, NULL }, /* no variant means v7 */
	{ "linux/arm", { "linux/arm/v6", "linux/arm/v8" }, "linux/arm/v6" },
	{ "linux/amd64/v3",
	  { "linux/amd64", "linux/amd64/v2", "linux/amd64/v4" },
	  "linux/amd64/v2" },
	{ "linux/amd64", { "linux/amd64/v2" }, NULL },
	{ "linux/arm/v7", { "linux/arm/vx", "linux/arm/7.x" }, NULL },
	{ "linux/ppc64le", { "linux/ppc64le/power9" }, NULL },
	{ "linux/ppc64le/power9", { "linux/ppc64le/power9" }, "linux/ppc64le/power9" },
};

static void check_choice(size_t i, bool reverse)
{
	struct platform wanted, candidate;
	struct mkrootfs_error error;
	char best[PLATFORM_TEXT_SIZE] = "none";
	unsigned rank = 0;

	assert_int_equal(platform_parse(&wanted, choices[i].wanted, &error), 0);
	for (size_t k = 0; k < 4; k++) {
		const char *text = choices[i].candidates[reverse ? 3 - k : k];

		if (!text)
			continue;
		assert_int_equal(platform_parse(&candidate, text, &error), 0);
		if (platform_rank(&candidate, &wanted) > rank) {
			rank = platform_rank(&candidate, &wanted);
			platform_format(best, &candidate);
		}
	}
	assert_string_equal(best, choices[i].best ? choices[i].best : "none");
}

static void chooses_in_any_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		check_choice(i, false);
		check_choice(i, true);
	}
}

static const struct {
	const char *json;
	const char *text; /* NULL: malformed */
} documents[] = {
	{ "{}", "unknown/unknown" },
	{ "{\"os\":\"linux\",\"architecture\":\"arm\",\"variant\":null}", "linux/arm/v7" },
	{ "{\"os\":\"linux\",\"architecture\":\"ARM64\",\"variant\":\"V8\"}", "linux/arm64" },
	{ "{\"os\":1}", NULL },
	{ "{\"architecture\":[]}", NULL },
	{ "{\"variant\":{}}", NULL },
	{ "{\"os\":\"01234567890123456789012345678901\"}", NULL },
};

static void reads_json(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		struct mkrootfs_error error;
		struct platform p;
		struct jval *root;
		char text[PLATFORM_TEXT_SIZE];
		int status;

		assert_int_equal(
			jval_parse(&root, documents[i].json, strlen(documents[i].json), &error), 0);
		status = platform_from_json(&p, root, &error);
		jval_free(root);
		if (!documents[i].text) {
			assert_int_equal(status, MKROOTFS_ERROR_MALFORMED);
			continue;
		}
		assert_int_equal(status, 0);
		platform_format(text, &p);
		assert_string_equal(text, documents[i].text);
	}
}

static void host_is_linux(void **state)
{
	struct platform p;

	(void)state;
	platform_host(&p);
	assert_string_equal(p.os, "linux");
	assert_int_equal(platform_rank(&p, &p), UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normalises_spellings),
		cmocka_unit_test(chooses_in_any_order),
		cmocka_unit_test(reads_json),
		cmocka_unit_test(host_is_linux),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
