/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include "../erofs/marks.h"
#include "export_entry.h"

#include <inttypes.h>
#include <stdlib.h>

#define PATH_CAP (1u << 20)

static uint64_t size_of_data(const struct exporter *e)
{
	uint64_t total = 0;

	for (size_t i = 0; i < e->order.count; i++) {
		const struct tree_inode *inode = tree_inode_of(e->tree, e->order.names[i].node);

		if (e->order.names[i].target == 0 && e->order.names[i].address &&
		    !(inode->flags & TREE_CHUNKED))
			total += inode->size;
	}
	return total;
}

static int put_next_name(struct exporter *e, size_t *done, struct mkrootfs_error *error)
{
	int status = export_put_name(e, &e->order.names[*done], error);

	if (status == 0 && *done % 1024 == 0)
		status = events_report(e->events, MKROOTFS_EVENT_EXPORT_PROGRESS, e->data.done,
				       error);
	++*done;
	return status;
}

static int put_all(struct exporter *e, struct mkrootfs_error *error)
{
	size_t done = 0;
	int status = 0;

	for (uint32_t node = TREE_ROOT; status == 0 && node; node = tree_walk(e->tree, node)) {
		if (tree_is_directory(tree_inode_of(e->tree, node)))
			status = export_put_directory(e, node, error);
		else if (e->order.is_walk && export_takes_part(e->tree, node))
			status = put_next_name(e, &done, error);
	}
	while (status == 0 && done < e->order.count)
		status = put_next_name(e, &done, error);
	return status < 0 ? status : tar_writer_finish(e->writer, error);
}

static void warn_sockets(const struct exporter *e)
{
	struct mkrootfs_error text;

	if (e->sockets == 0)
		return;
	error_set(&text, 0, "sockets were left out, no tar can hold them: %" PRIu64, e->sockets);
	events_warn(e->events, text.message);
}

static int open_all(struct exporter *e, const struct mkrootfs_tree *tree, struct sink *sink,
		    struct mkrootfs_error *error)
{
	/* A layer image has its metadata behind the data. */
	bool is_layer = erofs_reader_superblock(tree->reader)->meta_block != 0;
	int status = erofs_read_tree(&e->tree, tree->reader, UINT32_MAX - 2, error);

	if (status == 0)
		status = erofs_marks_take(e->tree, error);
	if (status == 0)
		status = export_order_make(&e->order, e->tree, is_layer, error);
	if (status == 0)
		status = export_data_init(&e->data, e->tree, erofs_reader_extents(tree->reader),
					  e->events, error);
	return status < 0 ? status : tar_writer_create(&e->writer, sink, error);
}

static void close_all(struct exporter *e)
{
	tar_writer_close(e->writer);
	export_data_free(&e->data);
	export_order_free(&e->order);
	tree_free(e->tree);
	buf_free(&e->path);
	buf_free(&e->link);
	free(e->xattrs);
}

int tree_export(const struct mkrootfs_tree *tree, struct sink *sink, struct events *events,
		struct mkrootfs_error *error)
{
	struct exporter e = { .events = events,
			      .path = BUF_INIT(PATH_CAP),
			      .link = BUF_INIT(PATH_CAP) };
	int status;

	if (tree->metadata_only)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
				 "'%s' has names but no file data: export the disk.vmdk that it "
				 "belongs to",
				 extents_path(erofs_reader_extents(tree->reader), 0));
	status = open_all(&e, tree, sink, error);
	events->total = status == 0 ? size_of_data(&e) : 0;
	if (status == 0)
		status = put_all(&e, error);
	if (status == 0)
		warn_sockets(&e);
	if (status == 0)
		status = events_check(events, error);
	close_all(&e);
	return status;
}
