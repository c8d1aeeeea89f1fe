/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>

struct verify_source {
	struct source source;
	struct source *inner;
	struct source_check check; /* its expected points to the member below, or is NULL */
	struct digest expected;
	struct hasher *hasher; /* NULL: only the size is asked for */
	uint64_t done;	       /* bytes that passed */
};

static int compare_digest(const struct verify_source *verify, const struct digest *actual,
			  struct mkrootfs_error *error)
{
	char is[DIGEST_TEXT_SIZE], should[DIGEST_TEXT_SIZE];

	if (digest_equal(actual, &verify->expected))
		return 0;
	digest_format(is, actual);
	digest_format(should, &verify->expected);
	return error_set(error, MKROOTFS_ERROR_DIGEST, "%s has digest %s, expected %s",
			 verify->check.what, is, should);
}

static int verify_end(struct verify_source *verify, struct mkrootfs_error *error)
{
	struct digest actual;

	if (verify->check.size >= 0 && verify->done != (uint64_t)verify->check.size)
		return error_set(error, MKROOTFS_ERROR_DIGEST,
				 "%s has %" PRIu64 " bytes, expected %" PRId64, verify->check.what,
				 verify->done, verify->check.size);
	if (!verify->hasher)
		return 0;
	hasher_finish(verify->hasher, &actual);
	if (verify->check.actual)
		*verify->check.actual = actual;
	return verify->check.expected ? compare_digest(verify, &actual, error) : 0;
}

static int verify_next(struct source *source, const uint8_t **data, size_t *len,
		       struct mkrootfs_error *error)
{
	struct verify_source *verify = (struct verify_source *)source;
	int status = source_next(verify->inner, data, len, error);

	if (status < 0)
		return status;
	if (*len == 0)
		return verify_end(verify, error);
	if (verify->check.size >= 0 && *len > (uint64_t)verify->check.size - verify->done)
		return error_set(error, MKROOTFS_ERROR_DIGEST,
				 "%s has more than the expected %" PRId64 " bytes",
				 verify->check.what, verify->check.size);
	verify->done += *len;
	if (verify->hasher)
		hasher_update(verify->hasher, *data, *len);
	return 0;
}

static void verify_close(struct source *source)
{
	struct verify_source *verify = (struct verify_source *)source;

	source_close(verify->inner);
	hasher_free(verify->hasher);
	free(verify);
}

static const struct source_ops verify_ops = { .next = verify_next, .close = verify_close };

static int prepare(struct verify_source *verify, const struct source_check *check,
		   struct mkrootfs_error *error)
{
	enum digest_algorithm algorithm = check->algorithm ? check->algorithm : DIGEST_SHA256;

	verify->check = *check;
	if (check->expected) {
		verify->expected = *check->expected;
		verify->check.expected = &verify->expected;
		algorithm = check->expected->algorithm;
	}
	if (!check->expected && !check->actual)
		return 0;
	return hasher_create(&verify->hasher, algorithm, error);
}

int source_verify(struct source **out, struct source *inner, const struct source_check *check,
		  struct mkrootfs_error *error)
{
	struct verify_source *verify = calloc(1, sizeof(*verify));
	int status;

	*out = NULL;
	if (!verify)
		return error_no_memory(error);
	status = prepare(verify, check, error);
	if (status < 0) {
		free(verify);
		return status;
	}
	source_init_passing(&verify->source, &verify_ops, inner);
	verify->inner = inner;
	*out = &verify->source;
	return 0;
}
