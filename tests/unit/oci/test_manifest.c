/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "oci/document.h"
#include "oci/index.h"
#include "oci/manifest.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define SHA "sha256:" HEX
#define DESCRIPTOR(type) "{'mediaType':'" type "','digest':'" SHA "','size':7}"
#define CONFIG "'config':" DESCRIPTOR(MEDIA_OCI_CONFIG)
#define LAYER DESCRIPTOR("application/vnd.oci.image.layer.v1.tar+gzip")
#define LAYERS "'layers':[" LAYER "]"
#define MANIFESTS "'manifests':[" DESCRIPTOR(MEDIA_OCI_MANIFEST) "]"
#define V2 "'schemaVersion':2"
#define TYPE(t) "'mediaType':'" t "'"

/* JSON with ' in the place of ", to be readable here. */
static struct jval *parse(const char *text)
{
	struct mkrootfs_error error;
	struct jval *root;
	char json[8192];

	assert_true(strlen(text) < sizeof(json));
	strcpy(json, text);
	for (char *p = json; *p; p++)
		if (*p == '\'')
			*p = '"';
	if (jval_parse(&root, json, strlen(json), &error) < 0)
		fail_msg("%s: %s", text, error.message);
	return root;
}

static const struct {
	const char *json;
	const char *expected_type;
	int result; /* enum document_kind, or a status */
	const char *says;
} documents[] = {
	/* Structure decides; types are absent, right, or unknown. */
	{ "{" V2 "," CONFIG "," LAYERS "}", "", DOCUMENT_MANIFEST, "" },
	{ "{" V2 "," MANIFESTS "}", "", DOCUMENT_INDEX, "" },
	{ "{" CONFIG "," LAYERS "}", "", DOCUMENT_MANIFEST, "" },
	{ "{" V2 ",'layers':[]," CONFIG "}", "application/json", DOCUMENT_MANIFEST, "" },
	{ "{" V2 "," MANIFESTS "}", "application/octet-stream", DOCUMENT_INDEX, "" },
	{ "{" V2 "," TYPE(MEDIA_OCI_MANIFEST) "," CONFIG "," LAYERS "}", MEDIA_OCI_MANIFEST,
	  DOCUMENT_MANIFEST, "" },
	{ "{" V2 "," TYPE(MEDIA_DOCKER_MANIFEST) "," CONFIG "," LAYERS "}", "", DOCUMENT_MANIFEST,
	  "" },
	{ "{" V2 "," TYPE(MEDIA_DOCKER_LIST) "," MANIFESTS "}", MEDIA_DOCKER_LIST, DOCUMENT_INDEX,
	  "" },
	{ "{" V2 "," TYPE(MEDIA_OCI_INDEX) "," MANIFESTS "}", "", DOCUMENT_INDEX, "" },
	/* Ambiguous or contradictory. */
	{ "{" V2 "," CONFIG "," LAYERS "," MANIFESTS "}", "", MKROOTFS_ERROR_MALFORMED, "both" },
	{ "{" V2 "," CONFIG "," LAYERS "," MANIFESTS "}", MEDIA_OCI_MANIFEST,
	  MKROOTFS_ERROR_MALFORMED, "both" },
	{ "{" V2 "," CONFIG "," LAYERS "," MANIFESTS "}", MEDIA_OCI_INDEX, MKROOTFS_ERROR_MALFORMED,
	  "both" },
	{ "{" V2 "," LAYERS "," MANIFESTS "}", "", MKROOTFS_ERROR_MALFORMED, "both" },
	{ "{" V2 "," CONFIG "," MANIFESTS "}", "", MKROOTFS_ERROR_MALFORMED, "both" },
	{ "{" V2 ",'config':null," MANIFESTS "}", "", MKROOTFS_ERROR_MALFORMED, "both" },
	{ "{" V2 "," TYPE(MEDIA_OCI_INDEX) "," CONFIG "," LAYERS "}", "", MKROOTFS_ERROR_MALFORMED,
	  "is a manifest, but its media type is" },
	{ "{" V2 "," TYPE(MEDIA_OCI_MANIFEST) "," MANIFESTS "}", "", MKROOTFS_ERROR_MALFORMED,
	  "is an index, but its media type is" },
	{ "{" V2 "," CONFIG "," LAYERS "}", MEDIA_OCI_INDEX, MKROOTFS_ERROR_MALFORMED,
	  "is a manifest, but" },
	{ "{" V2 "," MANIFESTS "}", MEDIA_DOCKER_MANIFEST, MKROOTFS_ERROR_MALFORMED,
	  "is an index, but" },
	/* Neither. */
	{ "{}", "", MKROOTFS_ERROR_MALFORMED, "neither" },
	{ "{" V2 "," CONFIG "}", "", MKROOTFS_ERROR_MALFORMED, "neither" },
	{ "{" V2 "," LAYERS "}", "", MKROOTFS_ERROR_MALFORMED, "neither" },
	{ "[]", "", MKROOTFS_ERROR_MALFORMED, "no JSON object" },
	{ "{" V2 ",'mediaType':5," MANIFESTS "}", "", MKROOTFS_ERROR_MALFORMED, "mediaType" },
	{ "{'schemaVersion':'2'," MANIFESTS "}", "", MKROOTFS_ERROR_MALFORMED, "schemaVersion" },
	/* Known, but not handled. */
	{ "{'schemaVersion':1,'fsLayers':[],'history':[]}", "", MKROOTFS_ERROR_UNSUPPORTED,
	  MEDIA_DOCKER_SCHEMA1 ": image manifests of schema 1" },
	{ "{'schemaVersion':1,'fsLayers':[],'signatures':[]}", MEDIA_DOCKER_SCHEMA1_SIGNED,
	  MKROOTFS_ERROR_UNSUPPORTED, MEDIA_DOCKER_SCHEMA1_SIGNED ": image manifests of schema 1" },
	{ "{" TYPE(MEDIA_DOCKER_SCHEMA1_SIGNED) "}", "", MKROOTFS_ERROR_UNSUPPORTED, "schema 1" },
	{ "{'schemaVersion':1," CONFIG "," LAYERS "}", "", MKROOTFS_ERROR_UNSUPPORTED, "schema 1" },
	{ "{'schemaVersion':3," MANIFESTS "}", "", MKROOTFS_ERROR_UNSUPPORTED, "schemaVersion 3" },
	{ "{" TYPE(MEDIA_OCI_ARTIFACT) ",'blobs':[]}", "", MKROOTFS_ERROR_UNSUPPORTED,
	  MEDIA_OCI_ARTIFACT },
};

static void tells_documents_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct jval *root = parse(documents[i].json);
		enum document_kind kind = 0;
		int status = document_classify(&kind, root, documents[i].expected_type, &error);

		jval_free(root);
		if ((status < 0 ? status : (int)kind) != documents[i].result ||
		    !strstr(error.message, documents[i].says))
			fail_msg("%s: %d %s", documents[i].json, status, error.message);
	}
}

static void own_type_must_be_the_descriptors(void **state)
{
	struct document d = { .root = parse("{" TYPE(MEDIA_OCI_MANIFEST) "}") };
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(document_check_type(&d, MEDIA_OCI_MANIFEST, &error), 0);
	assert_int_equal(document_check_type(&d, "", &error), 0);
	assert_int_equal(document_check_type(&d, MEDIA_DOCKER_MANIFEST, &error),
			 MKROOTFS_ERROR_MALFORMED);
	document_free(&d);
}

static const struct {
	const char *json;
	int result; /* number of layers, or a status */
	const char *says;
} manifests[] = {
	{ "{" CONFIG "," LAYERS "}", 1, "" },
	{ "{" CONFIG ",'layers':[]}", 0, "" },
	{ "{" CONFIG ",'layers':[" LAYER "," LAYER "," LAYER "]}", 3, "" },
	{ "{" CONFIG ",'layers':[" LAYER "," LAYER "," LAYER "," LAYER "]}", MKROOTFS_ERROR_LIMIT,
	  "the limit is 3" },
	{ "{'config':" DESCRIPTOR(MEDIA_DOCKER_CONFIG) "," LAYERS "}", 1, "" },
	{ "{'config':" DESCRIPTOR("application/octet-stream") "," LAYERS "}", 1, "" },
	{ "{'artifactType':'application/x'," CONFIG "," LAYERS "}", 1, "" },
	/* Layer types are hints. */
	{ "{" CONFIG ",'layers':[" DESCRIPTOR("") "]}", 1, "" },
	{ "{" CONFIG ",'layers':[{'digest':'" SHA "','size':0}]}", 1, "" },
	{ "{" CONFIG ",'layers':[{'mediaType':"
	  "'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip','digest':'" SHA
	  "','size':9223372036854775807,'urls':['http://x/']}]}",
	  1, "" },
	{ "{" CONFIG
	  ",'layers':[" DESCRIPTOR("application/vnd.oci.image.layer.v1.tar+gzip+encrypted") "]}",
	  MKROOTFS_ERROR_UNSUPPORTED, "encrypted" },
	/* Not images. */
	{ "{'config':" DESCRIPTOR("application/vnd.cncf.helm.config.v1+json") "," LAYERS "}",
	  MKROOTFS_ERROR_UNSUPPORTED, "application/vnd.cncf.helm.config.v1+json" },
	{ "{'artifactType':'application/x.sbom','config':" DESCRIPTOR(
		  "application/vnd.oci.empty.v1+json") "," LAYERS "}",
	  MKROOTFS_ERROR_UNSUPPORTED, "application/x.sbom" },
	/* Descriptors. */
	{ "{'config':{'digest':'" SHA "','size':1}," LAYERS "}", MKROOTFS_ERROR_MALFORMED,
	  "config has no mediaType" },
	{ "{'config':[]," LAYERS "}", MKROOTFS_ERROR_MALFORMED, "config: " },
	{ "{" CONFIG ",'layers':{}}", MKROOTFS_ERROR_MALFORMED, "layers is no array" },
	{ "{" CONFIG ",'layers':[" LAYER ",5]}", MKROOTFS_ERROR_MALFORMED, "layer 1: " },
	{ "{" CONFIG ",'layers':[{'size':1}]}", MKROOTFS_ERROR_MALFORMED, "no digest" },
	{ "{" CONFIG ",'layers':[{'digest':5,'size':1}]}", MKROOTFS_ERROR_MALFORMED, "no digest" },
	{ "{" CONFIG ",'layers':[{'digest':'" SHA "'}]}", MKROOTFS_ERROR_MALFORMED, "size" },
	{ "{" CONFIG ",'layers':[{'digest':'" SHA "','size':-1}]}", MKROOTFS_ERROR_MALFORMED,
	  "size" },
	{ "{" CONFIG ",'layers':[{'digest':'" SHA "','size':1.5}]}", MKROOTFS_ERROR_MALFORMED,
	  "size" },
	{ "{" CONFIG ",'layers':[{'digest':'" SHA "','size':'1'}]}", MKROOTFS_ERROR_MALFORMED,
	  "size" },
	{ "{" CONFIG ",'layers':[{'digest':'" SHA "','size':1,'mediaType':1}]}",
	  MKROOTFS_ERROR_MALFORMED, "mediaType" },
	{ "{" CONFIG ",'layers':[{'digest':'sha256:../../etc/passwd','size':1}]}",
	  MKROOTFS_ERROR_MALFORMED, "digest" },
	{ "{" CONFIG ",'layers':[{'digest':'sha256:" HEX "00','size':1}]}",
	  MKROOTFS_ERROR_MALFORMED, "digest" },
	{ "{" CONFIG ",'layers':[{'digest':'sha256:0123456789ABCDEF','size':1}]}",
	  MKROOTFS_ERROR_MALFORMED, "digest" },
	{ "{" CONFIG ",'layers':[{'digest':'sha512:" HEX HEX "','size':1}]}", 1, "" },
	{ "{" CONFIG ",'layers':[{'digest':'sha512:" HEX "','size':1}]}", MKROOTFS_ERROR_MALFORMED,
	  "digest" },
	{ "{" CONFIG ",'layers':[{'digest':'blake3:" HEX "','size':1}]}",
	  MKROOTFS_ERROR_UNSUPPORTED, "digest algorithm" },
};

static void reads_manifests(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(manifests) / sizeof(manifests[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct jval *root = parse(manifests[i].json);
		struct manifest m;
		int status = manifest_parse(&m, root, 3, &error);

		jval_free(root);
		if ((status < 0 ? status : (int)m.layer_count) != manifests[i].result ||
		    !strstr(error.message, manifests[i].says))
			fail_msg("%s: %d %s", manifests[i].json, status, error.message);
		manifest_free(&m);
		assert_null(m.layers);
	}
}

static const struct {
	const char *entry;
	int status;
	bool platform, attestation;
	const char *says;
} entries[] = {
	{ DESCRIPTOR(MEDIA_OCI_MANIFEST), 0, false, false, "" },
	{ "{'digest':'" SHA "','size':1,'platform':{'os':'linux','architecture':'arm64'}}", 0, true,
	  false, "" },
	{ "{'digest':'" SHA "','size':1,'platform':{'os':'unknown','architecture':'unknown'}}", 0,
	  true, true, "" },
	{ "{'digest':'" SHA "','size':1,'platform':{'os':'linux','architecture':'arm64'},"
	  "'annotations':{'vnd.docker.reference.type':'attestation-manifest'}}",
	  0, true, true, "" },
	{ "{'digest':'" SHA "','size':1,'platform':null,'annotations':null}", 0, false, false, "" },
	{ "{'digest':'" SHA "','size':1,'platform':{}}", 0, false, false, "" },
	{ "{'digest':'" SHA "','size':1,'platform':'linux/amd64'}", MKROOTFS_ERROR_MALFORMED, false,
	  false, "platform" },
	{ "{'digest':'" SHA "','size':1,'platform':{'os':[]}}", MKROOTFS_ERROR_MALFORMED, false,
	  false, "os is no string" },
	{ "{'digest':'" SHA "','size':1,'annotations':[]}", MKROOTFS_ERROR_MALFORMED, false, false,
	  "annotations" },
	{ "{'digest':'x','size':1}", MKROOTFS_ERROR_MALFORMED, false, false, "manifest 1 of" },
	{ "null", MKROOTFS_ERROR_MALFORMED, false, false, "no JSON object" },
};

static void reads_indexes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct index index;
		struct jval *root;
		char json[4096];
		int status;

		snprintf(json, sizeof(json),
			 "{'manifests':[{'digest':'" SHA "','size':1,'annotations':"
			 "{'org.opencontainers.image.ref.name':'n'}},%s]}",
			 entries[i].entry);
		root = parse(json);
		status = index_parse(&index, root, &error);
		jval_free(root);
		if (status != entries[i].status || !strstr(error.message, entries[i].says))
			fail_msg("%s: %d %s", entries[i].entry, status, error.message);
		if (status == 0) {
			assert_int_equal(index.count, 2);
			assert_string_equal(index.entries[0].ref_name, "n");
			assert_int_equal(index.entries[1].has_platform, entries[i].platform);
			assert_int_equal(index.entries[1].is_attestation, entries[i].attestation);
		}
		index_free(&index);
	}
}

static void reads_content_types(void **state)
{
	static const char *const headers[] = {
		MEDIA_OCI_INDEX,
		" " MEDIA_OCI_INDEX "; charset=utf-8",
		"Application/VND.oci.image.index.v1+JSON",
		MEDIA_OCI_INDEX ", text/plain",
	};
	char type[MEDIA_TYPE_SIZE], longer[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		media_type_from_header(type, headers[i]);
		assert_string_equal(type, MEDIA_OCI_INDEX);
	}
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	media_type_from_header(type, longer);
	assert_int_equal(strlen(type), MEDIA_TYPE_SIZE - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_documents_apart),
		cmocka_unit_test(own_type_must_be_the_descriptors),
		cmocka_unit_test(reads_manifests),
		cmocka_unit_test(reads_indexes),
		cmocka_unit_test(reads_content_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
