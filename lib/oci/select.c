/* SPDX-License-Identifier: Apache-2.0 */
#include "select.h"

#include "config.h"
#include "index.h"
#include "manifest.h"

#include <stdlib.h>
#include <string.h>

struct selection {
	struct fetcher *fetcher;
	const struct platform *wanted;
	struct descriptor best;
	struct platform best_platform;
	unsigned best_rank;	    /* 0: none so far */
	struct buf seen;	    /* the platforms there are, as "a, b"; for the message */
	struct descriptor *unnamed; /* images without a platform */
	size_t unnamed_count;
};

static void note_seen(struct selection *selection, const struct platform *platform)
{
	struct mkrootfs_error full;
	char text[PLATFORM_TEXT_SIZE];

	platform_format(text, platform);
	buf_printf(&selection->seen, &full, "%s%s", selection->seen.len ? ", " : "", text);
}

/* Of equals the first one stays, so that the choice is the index's. */
static void consider(struct selection *selection, const struct descriptor *descriptor,
		     const struct platform *platform)
{
	unsigned rank = platform_rank(platform, selection->wanted);

	note_seen(selection, platform);
	if (rank <= selection->best_rank)
		return;
	selection->best_rank = rank;
	selection->best = *descriptor;
	selection->best_platform = *platform;
}

static int keep_unnamed(struct selection *selection, const struct descriptor *descriptor,
			struct mkrootfs_error *error)
{
	size_t count = selection->unnamed_count + 1;
	struct descriptor *longer;

	if (count > FETCH_MAX_DOCUMENTS)
		return 0; /* asking that many would be refused */
	longer = realloc(selection->unnamed, count * sizeof(*longer));
	if (!longer)
		return error_no_memory(error);
	longer[count - 1] = *descriptor;
	selection->unnamed = longer;
	selection->unnamed_count = count;
	return 0;
}

static int walk(struct selection *selection, const struct jval *root, unsigned depth,
		struct mkrootfs_error *error);

static int walk_nested(struct selection *selection, const struct descriptor *descriptor,
		       unsigned depth, struct mkrootfs_error *error)
{
	struct document document;
	int status;

	if (depth >= SELECT_MAX_DEPTH)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "more than %d indexes inside of each other", SELECT_MAX_DEPTH);
	status = fetch_document(selection->fetcher, &document, descriptor, error);
	if (status < 0)
		return status;
	status = walk(selection, document.root, depth + 1, error);
	document_free(&document);
	return status;
}

static int visit(struct selection *selection, const struct index_entry *entry, unsigned depth,
		 struct mkrootfs_error *error)
{
	const char *type = entry->descriptor.media_type;
	enum media_kind kind = media_type_kind(type);

	if (entry->is_attestation)
		return 0;
	if (kind == MEDIA_KIND_INDEX)
		return walk_nested(selection, &entry->descriptor, depth, error);
	if (entry->has_platform)
		consider(selection, &entry->descriptor, &entry->platform);
	else if (kind == MEDIA_KIND_MANIFEST || !type[0])
		return keep_unnamed(selection, &entry->descriptor, error);
	return 0;
}

static int walk(struct selection *selection, const struct jval *root, unsigned depth,
		struct mkrootfs_error *error)
{
	struct index index;
	int status = index_parse(&index, root, error);

	for (size_t i = 0; status == 0 && i < index.count; i++)
		status = visit(selection, &index.entries[i], depth, error);
	index_free(&index);
	return status;
}

/* The platform that an image's config tells; an artifact that is no image has none. */
static int read_platform(struct platform *out, struct selection *selection,
			 const struct document *document, struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(CONFIG_MAX_SIZE);
	struct jval *root = NULL;
	struct manifest manifest;
	int status = manifest_parse(&manifest, document->root, UINT32_MAX, error);

	memset(out, 0, sizeof(*out));
	if (status == MKROOTFS_ERROR_UNSUPPORTED)
		return 0;
	if (status == 0)
		status = fetch_blob(selection->fetcher, &bytes, &manifest.config, "config", error);
	if (status == 0)
		status = jval_parse(&root, bytes.data, bytes.len, error);
	if (status == 0)
		status = platform_from_json(out, root, error);
	jval_free(root);
	manifest_free(&manifest);
	buf_free(&bytes);
	return status;
}

/* An entry without media type may turn out to be an index; then its structure decides. */
static int ask_unnamed(struct selection *selection, const struct descriptor *descriptor,
		       struct mkrootfs_error *error)
{
	struct document document;
	struct platform platform;
	int status = fetch_document(selection->fetcher, &document, descriptor, error);

	if (status < 0)
		return status;
	if (document.kind == DOCUMENT_INDEX) {
		status = walk(selection, document.root, 2, error);
	} else {
		status = read_platform(&platform, selection, &document, error);
		if (status == 0 && platform.architecture[0])
			consider(selection, descriptor, &platform);
	}
	document_free(&document);
	return status;
}

static int not_found(const struct selection *selection, struct mkrootfs_error *error)
{
	char wanted[PLATFORM_TEXT_SIZE];

	platform_format(wanted, selection->wanted);
	if (!selection->seen.len)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "the index holds no image");
	error_set(error, MKROOTFS_ERROR_PLATFORM, "no image for platform %s; there are: %s", wanted,
		  (const char *)selection->seen.data);
	return error_advise(error, "--platform OS/ARCH[/VARIANT] asks for one of them");
}

static int choose(struct selection *selection, const struct document *index,
		  struct mkrootfs_error *error)
{
	int status = walk(selection, index->root, 1, error);
	bool ask = selection->best_rank == 0;

	/* unnamed_count may grow while indexes are found among them. */
	for (size_t i = 0; status == 0 && ask && i < selection->unnamed_count; i++) {
		struct descriptor descriptor = selection->unnamed[i];

		status = ask_unnamed(selection, &descriptor, error);
	}
	if (status == 0 && !selection->best_rank)
		status = not_found(selection, error);
	return status;
}

int select_manifest(struct document *out, struct platform *chosen, struct fetcher *fetcher,
		    const struct document *index, const struct platform *wanted,
		    struct mkrootfs_error *error)
{
	struct selection selection = { .fetcher = fetcher,
				       .wanted = wanted,
				       .seen = BUF_INIT(600) };
	int status = choose(&selection, index, error);

	memset(out, 0, sizeof(*out));
	if (status == 0) {
		*chosen = selection.best_platform;
		status = fetch_document(fetcher, out, &selection.best, error);
	}
	if (status == 0 && out->kind != DOCUMENT_MANIFEST) {
		document_free(out);
		status = error_set(error, MKROOTFS_ERROR_MALFORMED,
				   "the index names another index as an image");
	}
	free(selection.unnamed);
	buf_free(&selection.seen);
	return status;
}
