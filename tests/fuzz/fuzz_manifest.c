/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of a registry or layout: as a manifest or an index by its structure, and as a config. */
#include "oci/config.h"
#include "oci/document.h"
#include "oci/index.h"
#include "oci/manifest.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_parts(const struct document *document)
{
	struct mkrootfs_error error;
	struct manifest manifest;
	struct index index;

	document_check_type(document, MEDIA_OCI_MANIFEST, &error);
	if (document->kind == DOCUMENT_INDEX) {
		if (index_parse(&index, document->root, &error) == 0)
			index_free(&index);
	} else if (manifest_parse(&manifest, document->root, 16, &error) == 0) {
		if (manifest.layer_count > 16)
			abort();
		manifest_free(&manifest);
	}
}

static void try_document(const uint8_t *data, size_t size, const char *type)
{
	struct buf bytes = BUF_INIT(DOCUMENT_MAX_SIZE);
	struct mkrootfs_error error;
	struct document document;

	if (buf_append(&bytes, data, size, &error) < 0)
		return;
	if (document_load(&document, &bytes, type, &error) < 0)
		return;
	try_parts(&document);
	document_free(&document);
}

static void try_config(const uint8_t *data, size_t size, size_t layers)
{
	struct mkrootfs_error error;
	struct config config;
	char text[PLATFORM_TEXT_SIZE];

	if (config_parse(&config, data, size, layers, &error) < 0)
		return;
	platform_format(text, &config.platform);
	platform_rank(&config.platform, &config.platform);
	for (size_t i = 0; i < config.run.env.count; i++)
		if (!config.run.env.items[i])
			abort();
	config_free(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_document(data, size, "");
	try_document(data, size, MEDIA_OCI_INDEX);
	try_config(data, size, 2);
	return 0;
}
