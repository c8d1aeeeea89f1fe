/* SPDX-License-Identifier: Apache-2.0 */
#include "upper.h"

#include "../erofs/xxh.h"
#include "../ext4/writer.h"
#include "identity.h"
#include "output.h"
#include "upper_content.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE (UINT64_C(4) << 30)
#define DESCRIPTION_MAX (16u << 20)

static int set_label(struct ext4_options *out, const char *label, struct mkrootfs_error *error)
{
	if (strlen(label) >= sizeof(out->label))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the label '%.64s' has more than %zu bytes", label,
				 sizeof(out->label) - 1);
	strcpy(out->label, label);
	return 0;
}

/* What was not asked for leaves no line. */
static int describe_number(struct buf *text, const char *name, uint64_t value,
			   struct mkrootfs_error *error)
{
	return value ? buf_printf(text, error, "%s %" PRIu64 "\n", name, value) : 0;
}

static int describe_entry(struct buf *text, const struct mkrootfs_upper_entry *entry,
			  struct mkrootfs_error *error)
{
	return buf_printf(
		text, error, "%d %s\n%s\n%zu %016" PRIx64 " %d %u %u %d %o\n", (int)entry->action,
		entry->path ? entry->path : "", entry->source ? entry->source : "", entry->size,
		entry->data ? xxh3_64(entry->data, entry->size, 0) : 0, entry->set_owner != 0,
		entry->uid, entry->gid, entry->set_mode != 0, entry->mode);
}

static int describe(struct buf *text, const struct ext4_options *options,
		    struct mkrootfs_error *error)
{
	if (buf_printf(text, error, "%" PRIu64 "\n%s\n", options->size, options->label) < 0 ||
	    describe_number(text, "max-size", options->max_size, error) < 0 ||
	    describe_number(text, "inode-ratio", options->inode_ratio, error) < 0 ||
	    describe_number(text, "journal-size", options->journal_size, error) < 0)
		return error->status;
	return describe_number(text, "reserved-ppm", options->root_ppm, error);
}

/* So that the same options give the same bytes, and others another filesystem to those who ask. */
static int derive_uuid(struct ext4_options *options, const struct mkrootfs_upper_options *asked,
		       const uint8_t content[UUID_SIZE], struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(DESCRIPTION_MAX);
	int status = describe(&text, options, error);

	if (status == 0 && content)
		status = buf_append_string(&text, "content ", error);
	if (status == 0 && content)
		status = buf_append(&text, content, UUID_SIZE, error);
	for (size_t i = 0; status == 0 && i < asked->entry_count; i++)
		status = describe_entry(&text, &asked->entries[i], error);
	if (status == 0)
		status = identity_of_upper(options->uuid, &text, error);
	buf_free(&text);
	return status;
}

int upper_ext4_options(struct ext4_options *out, const struct mkrootfs_upper_options *options,
		       const uint8_t content[UUID_SIZE], struct mkrootfs_error *error)
{
	int status;

	*out = (struct ext4_options){
		.size = options->size ? options->size : DEFAULT_SIZE,
		.time = options->source_date,
		.inode_ratio = options->inode_ratio,
		.journal_size = options->journal_size,
		.max_size = options->max_size,
		.root_ppm = options->reserved_ppm,
	};
	status = set_label(out, options->label ? options->label : "", error);
	if (status < 0)
		return status;
	if (options->uuid)
		return uuid_parse(out->uuid, options->uuid, error);
	return derive_uuid(out, options, content, error);
}

/* All that one upper is made of. */
struct making {
	const struct mkrootfs_upper_options *asked;
	struct ext4_options options;
	const char *folder; /* for an unnamed file */
	struct upper_content content;
	struct events events;
};

static int find(void *user, struct ext4_place *place, uint64_t address,
		struct mkrootfs_error *error)
{
	struct making *m = user;

	return upper_data_find(&m->content.data, place, address, error);
}

static int progress(void *user, uint64_t done, struct mkrootfs_error *error)
{
	struct making *m = user;

	return events_report(&m->events, MKROOTFS_EVENT_EXPORT_PROGRESS, done, error);
}

static void warn(void *user, const char *text)
{
	struct making *m = user;

	events_warn(&m->events, text);
}

static int write_tree(struct making *m, struct image_file *file, struct mkrootfs_error *error)
{
	const struct ext4_contents contents = {
		.find = find, .progress = progress, .warn = warn, .user = m
	};
	const struct tree *tree = m->content.upper->tree;
	struct ext4_needs needs;

	if (ext4_tree_measure(&needs, tree, error) < 0)
		return error->status;
	m->events.total = needs.data;
	return ext4_write_tree(file, tree, &contents, &m->options, error);
}

static int write_content(struct making *m, struct image_file *file, struct mkrootfs_error *error)
{
	int status = upper_content_open(&m->content, m->asked, m->folder, &m->events, error);

	if (status < 0)
		return status;
	status = write_tree(m, file, error);
	upper_content_close(&m->content);
	return status;
}

static struct making making_of(const struct mkrootfs_upper_options *options)
{
	return (struct making){ .asked = options,
				.folder = options->temp_folder,
				.events = { .fn = options->events, .user = options->events_user } };
}

static int fill(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	struct making *m = user;

	if (m->asked->entry_count || m->asked->image)
		return write_content(m, file, error);
	return ext4_write_upper(file, &m->options, error);
}

int upper_make(const char *path, const struct mkrootfs_upper_options *options,
	       struct mkrootfs_error *error)
{
	struct making m = making_of(options);
	char *folder = NULL;
	int status = upper_ext4_options(&m.options, options, NULL, error);

	if (status == 0)
		status = output_folder(&folder, path, error);
	if (!m.folder)
		m.folder = folder;
	if (status == 0)
		status = output_write(path, options->replace, fill, &m, error);
	free(folder);
	return status;
}

int upper_make_fd(int fd, const struct mkrootfs_upper_options *options,
		  struct mkrootfs_error *error)
{
	struct making m = making_of(options);
	struct image_file *file = NULL;
	int status = upper_ext4_options(&m.options, options, NULL, error);

	if (!m.folder)
		m.folder = "/var/tmp";
	if (status == 0)
		status = image_file_borrow(&file, fd, error);
	if (status == 0)
		status = fill(&m, file, error);
	if (status == 0)
		status = image_file_commit(file, "", IMAGE_FILE_NO_SYNC, error);
	image_file_close(file);
	return status;
}
