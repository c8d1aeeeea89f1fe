/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "oci/config.h"

#define SHA "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ROOTFS "'rootfs':{'type':'layers','diff_ids':['" SHA "','" SHA "']}"
#define RUN(member) "{" ROOTFS ",'config':{" member "}}"

static int parse(struct config *out, const char *text, struct mkrootfs_error *error)
{
	char json[4096];

	assert_true(strlen(text) < sizeof(json));
	strcpy(json, text);
	for (char *p = json; *p; p++)
		if (*p == '\'')
			*p = '"';
	return config_parse(out, json, strlen(json), 2, error);
}

static const struct {
	const char *json;
	int status;
	const char *says;
} cases[] = {
	{ "{" ROOTFS "}", 0, "" },
	{ "{" ROOTFS ",'config':null}", 0, "" },
	{ "{" ROOTFS ",'config':{}}", 0, "" },
	{ "{" ROOTFS ",'config':{'Env':null,'Cmd':null,'Entrypoint':null,'User':null,"
	  "'WorkingDir':null,'StopSignal':null}}",
	  0, "" },
	{ RUN("'Env':[],'Cmd':[],'Labels':{'a':1},'ExposedPorts':[]"), 0, "" },
	{ "{" ROOTFS ",'config':[]}", MKROOTFS_ERROR_MALFORMED, "config is no object" },
	{ RUN("'Env':'A=b'"), MKROOTFS_ERROR_MALFORMED, "Env is no array" },
	{ RUN("'Env':{}"), MKROOTFS_ERROR_MALFORMED, "Env is no array" },
	{ RUN("'Env':['A=b',null]"), MKROOTFS_ERROR_MALFORMED, "Env is no array of strings" },
	{ RUN("'Entrypoint':'sh'"), MKROOTFS_ERROR_MALFORMED, "Entrypoint is no array" },
	{ RUN("'Entrypoint':[1]"), MKROOTFS_ERROR_MALFORMED, "Entrypoint is no array of strings" },
	{ RUN("'Cmd':[[]]"), MKROOTFS_ERROR_MALFORMED, "Cmd is no array of strings" },
	{ RUN("'User':0"), MKROOTFS_ERROR_MALFORMED, "User is no string" },
	{ RUN("'WorkingDir':[]"), MKROOTFS_ERROR_MALFORMED, "WorkingDir is no string" },
	{ RUN("'StopSignal':15"), MKROOTFS_ERROR_MALFORMED, "StopSignal is no string" },
	{ "{}", MKROOTFS_ERROR_MALFORMED, "rootfs is no object" },
	{ "[]", MKROOTFS_ERROR_MALFORMED, "no JSON object" },
	{ "{'rootfs':{'diff_ids':['" SHA "','" SHA "']}}", MKROOTFS_ERROR_MALFORMED,
	  "rootfs.type" },
	{ "{'rootfs':{'type':'layers+base','diff_ids':['" SHA "','" SHA "']}}",
	  MKROOTFS_ERROR_MALFORMED, "rootfs.type" },
	{ "{'rootfs':{'type':'layers','diff_ids':{}}}", MKROOTFS_ERROR_MALFORMED, "diff_ids" },
	{ "{'rootfs':{'type':'layers','diff_ids':null}}", MKROOTFS_ERROR_MALFORMED,
	  "config lists 0 diff IDs for 2 layers" },
	{ "{'rootfs':{'type':'layers','diff_ids':['" SHA "','" SHA "','" SHA "']}}",
	  MKROOTFS_ERROR_MALFORMED, "config lists 3 diff IDs for 2 layers" },
	{ "{'rootfs':{'type':'layers','diff_ids':['" SHA "',7]}}", MKROOTFS_ERROR_MALFORMED,
	  "diff ID" },
	{ "{'rootfs':{'type':'layers','diff_ids':['" SHA "','sha256:0']}}",
	  MKROOTFS_ERROR_MALFORMED, "diff ID 1" },
	{ "{" ROOTFS ",'os':5}", MKROOTFS_ERROR_MALFORMED, "os is no string" },
	{ "{" ROOTFS ",'architecture':{}}", MKROOTFS_ERROR_MALFORMED, "architecture" },
	{ "{" ROOTFS "}x", MKROOTFS_ERROR_MALFORMED, "not JSON" },
	{ "", MKROOTFS_ERROR_MALFORMED, "not JSON" },
};

static void checks_types_and_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct config c;
		int status = parse(&c, cases[i].json, &error);

		if (status != cases[i].status || !strstr(error.message, cases[i].says))
			fail_msg("%s: %d %s", cases[i].json, status, error.message);
		if (status == 0) {
			assert_int_equal(c.diff_id_count, 2);
			assert_int_equal(c.run.env.count, 0);
			assert_int_equal(c.run.entrypoint.count, 0);
			assert_string_equal(c.run.user, "");
			assert_string_equal(c.run.working_dir, "");
			assert_string_equal(c.run.stop_signal, "");
		}
		config_free(&c);
	}
}

static void keeps_what_a_runtime_needs(void **state)
{
	struct mkrootfs_error error;
	struct config c;
	char text[DIGEST_TEXT_SIZE];

	(void)state;
	assert_int_equal(
		parse(&c,
		      "{'os':'linux','architecture':'arm','variant':'v6'," ROOTFS
		      ",'config':{'Env':['A=1','B='],'Entrypoint':['/e','x y'],'Cmd':['c'],"
		      "'User':'u:g','WorkingDir':'/w','StopSignal':'SIGINT'}}",
		      &error),
		0);
	platform_format(text, &c.platform);
	assert_string_equal(text, "linux/arm/v6");
	digest_format(text, &c.diff_ids[1]);
	assert_string_equal(text, SHA);
	assert_int_equal(c.run.env.count, 2);
	assert_string_equal(c.run.env.items[1], "B=");
	assert_int_equal(c.run.entrypoint.count, 2);
	assert_string_equal(c.run.entrypoint.items[1], "x y");
	assert_string_equal(c.run.cmd.items[0], "c");
	assert_string_equal(c.run.user, "u:g");
	assert_string_equal(c.run.working_dir, "/w");
	assert_string_equal(c.run.stop_signal, "SIGINT");
	config_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checks_types_and_counts),
		cmocka_unit_test(keeps_what_a_runtime_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
