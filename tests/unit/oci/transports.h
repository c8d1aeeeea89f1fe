/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images of the scripted registry, step by step.
 *
 *	t = open_at(server.port, "open/x", &options, &reference);
 *	resolve(&image, t, &reference, &error);
 *	read_blob(t, &image->manifest.layers[0], &error);
 */
#ifndef TESTS_OCI_TRANSPORTS_H
#define TESTS_OCI_TRANSPORTS_H

#include "oci/registry.h"
#include "oci/resolve.h"

#include <stdio.h>

/* Behind the includes that cmocka.h needs. */
#include <cmocka.h>

static inline struct transport *open_at(int port, const char *name,
					const struct registry_options *options,
					struct reference *reference)
{
	struct mkrootfs_error error;
	struct transport *t;
	char text[256];

	snprintf(text, sizeof(text), "127.0.0.1:%d/%s", port, name);
	assert_int_equal(reference_parse(reference, text, &error), 0);
	assert_int_equal(registry_open(&t, reference, options, &error), 0);
	return t;
}

static inline int resolve(struct resolved_image **image, struct transport *t,
			  const struct reference *reference, struct mkrootfs_error *error)
{
	struct resolve_options options = { .max_layers = 10 };

	assert_int_equal(platform_parse(&options.platform, "linux/amd64", error), 0);
	return resolve_image(image, t, reference, &options, error);
}

/* Reads a blob to its verified end. */
static inline int read_blob(struct transport *t, const struct descriptor *descriptor,
			    struct mkrootfs_error *error)
{
	struct source_check check = { .expected = &descriptor->digest,
				      .size = descriptor->size,
				      .what = "blob" };
	struct source *raw, *verified;
	int status = transport_open_blob(t, &raw, descriptor, 0, error);

	if (status < 0)
		return status;
	assert_int_equal(source_verify(&verified, raw, &check, error), 0);
	status = source_drain(verified, UINT64_MAX, error);
	source_close(verified);
	return status;
}

#endif
