/* SPDX-License-Identifier: Apache-2.0 */
#include "image_documents.h"

#include "../io/source.h"
#include "../oci/document.h"

#define PATH_CAP 16384u

int image_read_file(struct buf *out, const char *directory, const char *name,
		    struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(PATH_CAP);
	struct source *source = NULL;
	int status = buf_printf(&path, error, "%s/%s", directory, name);

	if (status == 0)
		status = source_file(&source, (char *)path.data, error);
	if (status == 0)
		status = source_read_all(out, source, error);
	source_close(source);
	buf_free(&path);
	return status;
}

static int read_manifest(struct mkrootfs_image *image, struct manifest *manifest,
			 struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(DOCUMENT_MAX_SIZE);
	struct document document;
	int status = image_read_file(&bytes, image->directory, IMAGE_MANIFEST, error);

	if (status < 0) {
		buf_free(&bytes);
		return status;
	}
	status = document_load(&document, &bytes, "", error);
	if (status < 0)
		return error_prefix(error, IMAGE_MANIFEST ": ");
	if (digest_equal(&image->manifest_digest, &document.digest))
		status = manifest_parse(manifest, document.root, UINT32_MAX, error);
	else
		status = error_set(error, MKROOTFS_ERROR_MALFORMED,
				   "%s does not match the image's digest", IMAGE_MANIFEST);
	document_free(&document);
	return status;
}

static int check_config(const struct buf *bytes, const struct descriptor *expected,
			struct mkrootfs_error *error)
{
	struct digest digest;
	int status = digest_of(&digest, expected->digest.algorithm, bytes->data, bytes->len, error);

	if (status == 0 && !digest_equal(&digest, &expected->digest))
		status = error_set(error, MKROOTFS_ERROR_MALFORMED,
				   "%s is not the one that the manifest names", IMAGE_CONFIG);
	return status;
}

static int read_config(struct mkrootfs_image *image, const struct manifest *manifest,
		       struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(CONFIG_MAX_SIZE);
	int status = image_read_file(&bytes, image->directory, IMAGE_CONFIG, error);

	if (status == 0)
		status = check_config(&bytes, &manifest->config, error);
	if (status == 0)
		status = config_parse(&image->config, bytes.data, bytes.len, manifest->layer_count,
				      error) < 0
				 ? error_prefix(error, IMAGE_CONFIG ": ")
				 : 0;
	if (status == 0)
		platform_format(image->platform, &image->config.platform);
	buf_free(&bytes);
	return status;
}

int image_read_documents(struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	struct manifest manifest;
	int status = read_manifest(image, &manifest, error);

	if (status < 0)
		return status;
	status = read_config(image, &manifest, error);
	manifest_free(&manifest);
	return status;
}
