/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "layout_maker.h"
#include "oci/layout.h"
#include "oci/resolve.h"

#define SHA "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define MANIFEST_TYPE "'mediaType':'" MEDIA_OCI_MANIFEST "',"
#define INDEX_TYPE "'mediaType':'" MEDIA_OCI_INDEX "',"

/* A descriptor's text of the last blob. extra ends with a comma or is empty. */
static void describe(char *out, const struct maker *m, const char *extra)
{
	snprintf(out, 700, "{%s'digest':'%s','size':%zu}", extra, m->digest, m->size);
}

/* A manifest and config; platform is JSON members of the config, ending with a comma. */
static void make_image(struct maker *m, const char *platform)
{
	char text[2048], config[700];

	snprintf(text, sizeof(text),
		 "{%s'rootfs':{'type':'layers','diff_ids':['" SHA "']},'config':{'Cmd':['sh']}}",
		 platform);
	maker_blob(m, text);
	describe(config, m, "'mediaType':'" MEDIA_OCI_CONFIG "',");
	snprintf(text, sizeof(text),
		 "{'schemaVersion':2," MANIFEST_TYPE "'config':%s,'layers':[{'mediaType':"
		 "'application/vnd.oci.image.layer.v1.tar','digest':'" SHA "','size':1}]}",
		 config);
	maker_blob(m, text);
}

/* An index blob of entries, each a descriptor's text. */
static void make_index(struct maker *m, const char *entries)
{
	size_t size = strlen(entries) + 200;
	char *text = malloc(size);

	snprintf(text, size, "{'schemaVersion':2," INDEX_TYPE "'manifests':[%s]}", entries);
	maker_blob(m, text);
	free(text);
}

/* Makes the last blob the layout's only image. */
static void publish(struct maker *m, const char *extra)
{
	char text[1024], entry[700];

	describe(entry, m, extra);
	snprintf(text, sizeof(text), "{'schemaVersion':2,'manifests':[%s]}", entry);
	maker_index(m, text);
}

struct outcome {
	int status;
	struct mkrootfs_error error;
	struct resolved_image *image;
};

static struct outcome resolve(const struct maker *m, const char *suffix, const char *platform)
{
	struct resolve_options options = { .max_layers = 10, .platform_is_default = !platform };
	struct outcome o = { .error = { .message = "" } };
	struct reference r;
	struct transport *t;
	char text[512];

	snprintf(text, sizeof(text), "oci:%s%s", m->path, suffix);
	assert_int_equal(reference_parse(&r, text, &o.error), 0);
	assert_int_equal(
		platform_parse(&options.platform, platform ? platform : "linux/amd64", &o.error),
		0);
	if (layout_open(&t, &r, &o.error) < 0)
		fail_msg("%s", o.error.message);
	o.status = resolve_image(&o.image, t, &r, &options, &o.error);
	if (o.status < 0)
		assert_null(o.image);
	transport_close(t);
	return o;
}

static void expect_failure(const struct maker *m, const char *suffix, const char *platform,
			   int status, const char *says)
{
	struct outcome o = resolve(m, suffix, platform);

	if (o.status != status || !strstr(o.error.message, says))
		fail_msg("%d %s", o.status, o.error.message);
}

static void expect_platform(const struct maker *m, const char *wanted, const char *got)
{
	struct outcome o = resolve(m, "", wanted);

	if (o.status < 0)
		fail_msg("%s", o.error.message);
	assert_string_equal(o.image->platform, got);
	resolved_image_free(o.image);
}

static void resolves_one_manifest(void **state)
{
	struct outcome o;
	struct maker m;
	char digest[DIGEST_TEXT_SIZE];

	(void)state;
	maker_open(&m);
	make_image(&m, "'os':'linux','architecture':'amd64',");
	publish(&m, MANIFEST_TYPE);
	o = resolve(&m, "", NULL);
	assert_int_equal(o.status, 0);
	digest_format(digest, &o.image->manifest_digest);
	assert_string_equal(digest, m.digest);
	assert_int_equal(o.image->manifest_bytes.len, m.size);
	assert_int_equal(o.image->manifest.layer_count, 1);
	assert_string_equal(o.image->config.run.cmd.items[0], "sh");
	assert_string_equal(o.image->platform, "linux/amd64");
	assert_string_equal(o.image->warning, "");
	assert_false(o.image->has_index);
	assert_int_equal(strncmp(o.image->reference, "oci:/tmp/", 9), 0);
	resolved_image_free(o.image);
	maker_close(&m);
}

/* Asked for explicitly it is an error; by default a warning, as docker has it. */
static void single_manifest_of_another_platform(void **state)
{
	struct outcome o;
	struct maker m;

	(void)state;
	maker_open(&m);
	make_image(&m, "'os':'linux','architecture':'arm64',");
	publish(&m, MANIFEST_TYPE);
	expect_failure(&m, "", "linux/amd64", MKROOTFS_ERROR_PLATFORM,
		       "no image for platform linux/amd64; there is: linux/arm64");
	expect_platform(&m, "linux/arm64/v8", "linux/arm64");
	o = resolve(&m, "", NULL);
	assert_int_equal(o.status, 0);
	assert_string_equal(o.image->warning, "the image is for linux/arm64, not for linux/amd64");
	resolved_image_free(o.image);
	make_image(&m, "");
	publish(&m, MANIFEST_TYPE);
	o = resolve(&m, "", "linux/arm64");
	assert_int_equal(o.status, 0);
	assert_non_null(strstr(o.image->warning, "does not name"));
	resolved_image_free(o.image);
	maker_close(&m);
}

/* Entries of the index, in an order of the caller's; attestations may be anywhere. */
static void make_multi(struct maker *m, const char *const *architectures, size_t count)
{
	char entries[8192] = "", extra[512], entry[700];

	for (size_t i = 0; i < count; i++) {
		snprintf(extra, sizeof(extra), "'os':'linux',%s,", architectures[i]);
		make_image(m, extra);
		snprintf(extra, sizeof(extra), MANIFEST_TYPE "'platform':{'os':'linux',%s},",
			 architectures[i]);
		describe(entry, m, extra);
		snprintf(entries + strlen(entries), sizeof(entries) - strlen(entries), "%s%s",
			 i ? "," : "", entry);
	}
	make_index(m, entries);
	publish(m, INDEX_TYPE);
}

static void chooses_the_platform(void **state)
{
	static const char *const some[] = {
		"'architecture':'arm','variant':'v5'", "'architecture':'arm64'",
		"'architecture':'arm','variant':'v7'", "'architecture':'amd64'",
		"'architecture':'arm','variant':'v6'",
	};
	struct maker m;
	struct outcome o;
	char digest[DIGEST_TEXT_SIZE];

	(void)state;
	maker_open(&m);
	make_multi(&m, some, 5);
	expect_platform(&m, "linux/amd64", "linux/amd64");
	expect_platform(&m, "linux/arm64/v8", "linux/arm64");
	expect_platform(&m, "linux/arm/v7", "linux/arm/v7");
	expect_platform(&m, "linux/arm/v6", "linux/arm/v6");
	expect_platform(&m, "linux/arm/v5", "linux/arm/v5");
	expect_platform(&m, "linux/amd64/v3", "linux/amd64");
	expect_failure(&m, "", "linux/s390x", MKROOTFS_ERROR_PLATFORM,
		       "no image for platform linux/s390x; there are: linux/arm/v5, linux/arm64, "
		       "linux/arm/v7, linux/amd64, linux/arm/v6");
	expect_failure(&m, "", "windows/amd64", MKROOTFS_ERROR_PLATFORM, "windows/amd64");
	o = resolve(&m, "", NULL);
	assert_int_equal(o.status, 0);
	assert_true(o.image->has_index);
	digest_format(digest, &o.image->index_digest);
	assert_string_equal(digest, m.digest);
	resolved_image_free(o.image);
	maker_close(&m);
}

static void passes_over_attestations(void **state)
{
	struct maker m;
	char entries[2048], first[700], second[700];

	(void)state;
	maker_open(&m);
	maker_blob(&m, "not even JSON");
	describe(first, &m, MANIFEST_TYPE "'platform':{'os':'unknown','architecture':'unknown'},");
	make_image(&m, "'os':'linux','architecture':'amd64',");
	describe(second, &m, MANIFEST_TYPE "'platform':{'os':'linux','architecture':'amd64'},");
	snprintf(entries, sizeof(entries), "%s,%s", first, second);
	make_index(&m, entries);
	publish(&m, INDEX_TYPE);
	expect_platform(&m, "linux/amd64", "linux/amd64");
	make_index(&m, first);
	publish(&m, INDEX_TYPE);
	expect_failure(&m, "", NULL, MKROOTFS_ERROR_NOT_FOUND, "the index holds no image");
	maker_close(&m);
}

static void nest(struct maker *m, int depth)
{
	char entry[700];

	make_image(m, "'os':'linux','architecture':'amd64',");
	describe(entry, m, MANIFEST_TYPE "'platform':{'os':'linux','architecture':'amd64'},");
	make_index(m, entry);
	while (--depth > 0) {
		describe(entry, m, INDEX_TYPE);
		make_index(m, entry);
	}
	publish(m, INDEX_TYPE);
}

static void follows_nested_indexes_to_depth_8(void **state)
{
	struct maker m;

	(void)state;
	maker_open(&m);
	nest(&m, 2);
	expect_platform(&m, "linux/amd64", "linux/amd64");
	nest(&m, 8);
	expect_platform(&m, "linux/amd64", "linux/amd64");
	nest(&m, 9);
	expect_failure(&m, "", NULL, MKROOTFS_ERROR_LIMIT, "more than 8 indexes");
	maker_close(&m);
}

static void reads_at_most_64_documents(void **state)
{
	struct maker m;
	char *entries = calloc(200, 700), entry[700];

	(void)state;
	maker_open(&m);
	make_index(&m, "");
	describe(entry, &m, INDEX_TYPE);
	strcpy(entries, entry);
	for (int i = 0; i < 100; i++) {
		strcat(entries, ",");
		strcat(entries, entry);
	}
	make_index(&m, entries);
	publish(&m, INDEX_TYPE);
	expect_failure(&m, "", NULL, MKROOTFS_ERROR_LIMIT, "more than 64 documents");
	free(entries);
	maker_close(&m);
}

/* Layouts of some tools give no platform in the index: the configs tell it. */
static void asks_configs_where_the_index_is_silent(void **state)
{
	struct maker m;
	char entries[2100], a[700], b[700], c[700];

	(void)state;
	maker_open(&m);
	make_image(&m, "'os':'linux','architecture':'arm','variant':'v6',");
	describe(a, &m, MANIFEST_TYPE);
	make_image(&m, "'os':'linux','architecture':'amd64',");
	describe(b, &m, "");
	make_image(&m, "'os':'linux','architecture':'arm','variant':'v7',");
	describe(c, &m, MANIFEST_TYPE);
	snprintf(entries, sizeof(entries), "%s,%s,%s", a, b, c);
	make_index(&m, entries);
	publish(&m, INDEX_TYPE);
	expect_platform(&m, "linux/amd64", "linux/amd64");
	expect_platform(&m, "linux/arm/v7", "linux/arm/v7");
	expect_platform(&m, "linux/arm/v6", "linux/arm/v6");
	expect_failure(&m, "", "linux/arm/v5", MKROOTFS_ERROR_PLATFORM,
		       "there are: linux/arm/v6, linux/amd64, linux/arm/v7");
	maker_close(&m);
}

static void ignores_unknown_types_in_an_index(void **state)
{
	struct maker m;
	char entries[2048], a[700], b[700];

	(void)state;
	maker_open(&m);
	maker_blob(&m, "x");
	describe(a, &m, "'mediaType':'application/x',");
	make_image(&m, "'os':'linux','architecture':'amd64',");
	describe(b, &m, MANIFEST_TYPE);
	snprintf(entries, sizeof(entries), "%s,%s", a, b);
	make_index(&m, entries);
	publish(&m, INDEX_TYPE);
	expect_platform(&m, "linux/amd64", "linux/amd64");
	maker_close(&m);
}

static void warns_when_index_and_config_disagree(void **state)
{
	struct maker m;
	struct outcome o;
	char entry[700];

	(void)state;
	maker_open(&m);
	make_image(&m, "'os':'linux','architecture':'arm64',");
	describe(entry, &m, MANIFEST_TYPE "'platform':{'os':'linux','architecture':'amd64'},");
	make_index(&m, entry);
	publish(&m, INDEX_TYPE);
	o = resolve(&m, "", "linux/amd64");
	assert_int_equal(o.status, 0);
	assert_string_equal(o.image->platform, "linux/amd64");
	assert_non_null(strstr(o.image->warning, "its config says linux/arm64"));
	resolved_image_free(o.image);
	maker_close(&m);
}

/* Changes one byte of the last blob, or its length. */
static void damage(const struct maker *m, bool longer)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/blobs/sha256/%s", m->path, m->digest + 7);
	fd = open(path, O_WRONLY | (longer ? O_APPEND : 0));
	assert_true(fd >= 0);
	assert_int_equal(write(fd, " ", 1), 1);
	close(fd);
}

static void checks_every_digest_and_size(void **state)
{
	struct maker m, config;
	char entry[700], suffix[DIGEST_TEXT_SIZE + 1];

	(void)state;
	for (int longer = 0; longer < 2; longer++) {
		/* The image's manifest, found by name. */
		maker_open(&m);
		make_image(&m, "'os':'linux','architecture':'amd64',");
		publish(&m, MANIFEST_TYPE);
		damage(&m, longer);
		expect_failure(&m, "", NULL, MKROOTFS_ERROR_DIGEST, "manifest sha256:");
		snprintf(suffix, sizeof(suffix), "@%s", m.digest);
		expect_failure(&m, suffix, NULL, MKROOTFS_ERROR_DIGEST, "expected sha256:");
		/* A manifest of an index. */
		make_image(&m, "'os':'linux','architecture':'amd64',");
		describe(entry, &m,
			 MANIFEST_TYPE "'platform':{'os':'linux','architecture':'amd64'},");
		damage(&m, longer);
		make_index(&m, entry);
		publish(&m, INDEX_TYPE);
		expect_failure(&m, "", NULL, MKROOTFS_ERROR_DIGEST, "manifest sha256:");
		/* The index. */
		damage(&m, longer);
		expect_failure(&m, "", NULL, MKROOTFS_ERROR_DIGEST, "manifest sha256:");
		/* The config. */
		config = m;
		maker_blob(&config, "{'os':'linux','architecture':'amd64','rootfs':{'type':"
				    "'layers','diff_ids':['" SHA "']},'config':{'Cmd':['sh']}}");
		make_image(&m, "'os':'linux','architecture':'amd64',");
		publish(&m, MANIFEST_TYPE);
		damage(&config, longer);
		expect_failure(&m, "", NULL, MKROOTFS_ERROR_DIGEST, "config has");
		maker_close(&m);
	}
}

static void types_must_match_descriptors(void **state)
{
	struct maker m;

	(void)state;
	maker_open(&m);
	make_image(&m, "'os':'linux','architecture':'amd64',");
	publish(&m, INDEX_TYPE);
	expect_failure(&m, "", NULL, MKROOTFS_ERROR_MALFORMED, "is a manifest, but");
	publish(&m, "'mediaType':'" MEDIA_DOCKER_MANIFEST "',");
	expect_failure(&m, "", NULL, MKROOTFS_ERROR_MALFORMED, "its descriptor says");
	publish(&m, "");
	expect_platform(&m, "linux/amd64", "linux/amd64");
	maker_close(&m);
}

static void limits_sizes(void **state)
{
	struct maker m;
	char text[2048];

	(void)state;
	maker_open(&m);
	maker_blob(&m, "x");
	snprintf(text, sizeof(text),
		 "{'schemaVersion':2," MANIFEST_TYPE "'config':{'mediaType':'" MEDIA_OCI_CONFIG
		 "','digest':'%s','size':8388609},'layers':[]}",
		 m.digest);
	maker_blob(&m, text);
	publish(&m, MANIFEST_TYPE);
	expect_failure(&m, "", NULL, MKROOTFS_ERROR_LIMIT, "above the limit of 8388608");
	snprintf(text, sizeof(text),
		 "{" MANIFEST_TYPE "'platform':{'os':'linux','architecture':'amd64'},"
		 "'digest':'%s','size':4194305}",
		 m.digest);
	make_index(&m, text);
	publish(&m, INDEX_TYPE);
	expect_failure(&m, "", NULL, MKROOTFS_ERROR_LIMIT, "limit of 4194304");
	maker_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resolves_one_manifest),
		cmocka_unit_test(single_manifest_of_another_platform),
		cmocka_unit_test(chooses_the_platform),
		cmocka_unit_test(passes_over_attestations),
		cmocka_unit_test(follows_nested_indexes_to_depth_8),
		cmocka_unit_test(reads_at_most_64_documents),
		cmocka_unit_test(asks_configs_where_the_index_is_silent),
		cmocka_unit_test(ignores_unknown_types_in_an_index),
		cmocka_unit_test(warns_when_index_and_config_disagree),
		cmocka_unit_test(checks_every_digest_and_size),
		cmocka_unit_test(types_must_match_descriptors),
		cmocka_unit_test(limits_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
