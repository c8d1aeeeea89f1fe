/* SPDX-License-Identifier: Apache-2.0 */
#include "upper.h"

#include "../ext4/writer.h"
#include "identity.h"
#include "output.h"

#include <string.h>

#define DEFAULT_SIZE (UINT64_C(4) << 30)

static int set_label(struct ext4_options *out, const char *label, struct mkrootfs_error *error)
{
	if (strlen(label) >= sizeof(out->label))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the label '%.64s' has more than %zu bytes", label,
				 sizeof(out->label) - 1);
	strcpy(out->label, label);
	return 0;
}

static int complete(struct ext4_options *out, const struct mkrootfs_upper_options *options,
		    struct mkrootfs_error *error)
{
	int status;

	*out = (struct ext4_options){ .size = options->size ? options->size : DEFAULT_SIZE,
				      .time = options->source_date };
	status = set_label(out, options->label ? options->label : "", error);
	if (status < 0)
		return status;
	if (options->uuid)
		return uuid_parse(out->uuid, options->uuid, error);
	return identity_of_upper(out->uuid, out->size, out->label, error);
}

static int fill(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	return ext4_write_upper(file, user, error);
}

int upper_make(const char *path, const struct mkrootfs_upper_options *options,
	       struct mkrootfs_error *error)
{
	struct ext4_options complete_options;
	int status = complete(&complete_options, options, error);

	return status < 0 ? status
			  : output_write(path, options->replace, fill, &complete_options, error);
}

int upper_make_fd(int fd, const struct mkrootfs_upper_options *options,
		  struct mkrootfs_error *error)
{
	struct ext4_options complete_options;
	struct image_file *file = NULL;
	int status = complete(&complete_options, options, error);

	if (status == 0)
		status = image_file_borrow(&file, fd, error);
	if (status == 0)
		status = ext4_write_upper(file, &complete_options, error);
	if (status == 0)
		status = image_file_commit(file, "", 0, error);
	image_file_close(file);
	return status;
}
