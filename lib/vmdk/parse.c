/* SPDX-License-Identifier: Apache-2.0 */
#include "parse.h"

#include "../base/array.h"
#include "words.h"

#include "../base/checked.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "# Disk DescriptorFile"

struct parser {
	struct vmdk_disk *disk;
	size_t *names; /* offsets in disk->names, which moves while it grows */
	size_t room;
	uint64_t sectors;
	unsigned line;
	bool has_version, has_parent;
};

static int malformed(const struct parser *p, struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "line %u: %s", p->line, what);
}

static int unsupported(const struct parser *p, struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "line %u: %s", p->line, what);
}

/* ---- Extents: ACCESS SECTORS TYPE "NAME" [OFFSET] ---- */

static int take_name(struct word *name, struct word *line, const struct parser *p,
		     struct mkrootfs_error *error)
{
	const char *end;

	if (line->len < 2 || line->at[0] != '"')
		return malformed(p, error, "the extent has no name in quotes");
	end = memchr(line->at + 1, '"', line->len - 1);
	if (!end)
		return malformed(p, error, "the extent's name has no closing quote");
	*name = (struct word){ line->at + 1, (size_t)(end - line->at) - 1 };
	line->len -= name->len + 2;
	line->at = end + 1;
	*line = word_trim(*line);
	if (name->len == 0 || name->len > VMDK_NAME_MAX)
		return malformed(p, error, "the length of the extent's name is out of range");
	if (memchr(name->at, '/', name->len) || word_is(*name, ".") || word_is(*name, ".."))
		return malformed(p, error, "the extent is not a file beside the descriptor");
	return 0;
}

static int grow(struct parser *p, struct mkrootfs_error *error)
{
	struct vmdk_disk *disk = p->disk;
	size_t room = p->room;
	int status =
		array_reserve(&disk->extents, &room, disk->count, sizeof(*disk->extents), error);

	return status < 0
		       ? status
		       : array_reserve(&p->names, &p->room, disk->count, sizeof(*p->names), error);
}

static int add(struct parser *p, struct word name, uint64_t sectors, struct mkrootfs_error *error)
{
	struct vmdk_disk *disk = p->disk;
	int status = grow(p, error);

	if (disk->count == VMDK_EXTENTS_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the disk has more than %u extents",
				 VMDK_EXTENTS_MAX);
	if (sectors == 0)
		return malformed(p, error, "an extent of no sectors");
	if (!checked_add_u64(&p->sectors, p->sectors, sectors) ||
	    p->sectors > INT64_MAX / VMDK_SECTOR_SIZE)
		return malformed(p, error, "the disk is too large");
	if (status < 0)
		return status;
	p->names[disk->count] = disk->names.len;
	disk->extents[disk->count++] = (struct vmdk_extent){ NULL, sectors };
	status = buf_append(&disk->names, name.at, name.len, error);
	return status < 0 ? status : buf_append(&disk->names, "", 1, error);
}

static int parse_extent(struct parser *p, struct word line, struct word access,
			struct mkrootfs_error *error)
{
	uint64_t sectors, offset = 0;
	bool counted = word_number(&sectors, word_take(&line));
	struct word type = word_take(&line), name = { 0 };
	int status;

	if (!counted)
		return malformed(p, error, "the extent has no number of sectors");
	if (word_is(access, "NOACCESS"))
		return unsupported(p, error, "an extent that must not be read");
	if (!word_is(type, "FLAT") && !word_is(type, "VMFS"))
		return unsupported(p, error, "only extents of type FLAT are read");
	status = take_name(&name, &line, p, error);
	if (status < 0)
		return status;
	if (line.len > 0 && !word_number(&offset, line))
		return malformed(p, error, "the extent's offset is no number");
	if (offset != 0)
		return unsupported(p, error, "an extent that starts within its file");
	return add(p, name, sectors, error);
}

/* ---- Lines ---- */

/* The few keys that change what the extents mean; all others describe. */
static int parse_key(struct parser *p, struct word key, struct word value,
		     struct mkrootfs_error *error)
{
	if (word_is(key, "version")) {
		p->has_version = true;
		if (!word_is(value, "1") && !word_is(value, "2") && !word_is(value, "3"))
			return unsupported(p, error, "an unknown version of descriptors");
	}
	if (word_is(key, "parentCID")) {
		p->has_parent = true;
		if (!word_is(value, "ffffffff"))
			return unsupported(p, error, "the disk is a difference to another one");
	}
	return 0;
}

static int parse_line(struct parser *p, struct word line, struct mkrootfs_error *error)
{
	const char *equals;
	struct word rest = line, access;

	if (line.len == 0 || line.at[0] == '#')
		return 0;
	access = word_take(&rest);
	if (word_is(access, "RW") || word_is(access, "RDONLY") || word_is(access, "NOACCESS"))
		return parse_extent(p, rest, access, error);
	equals = memchr(line.at, '=', line.len);
	if (!equals)
		return malformed(p, error, "neither an extent nor KEY=VALUE");
	return parse_key(
		p, word_trim((struct word){ line.at, (size_t)(equals - line.at) }),
		word_trim((struct word){ equals + 1, line.len - (size_t)(equals - line.at) - 1 }),
		error);
}

/* Lines end with LF, those of some writers with CR LF. */
static int parse_lines(struct parser *p, const char *text, size_t len, struct mkrootfs_error *error)
{
	const char *end = text + len;
	int status = 0;

	while (status == 0 && text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		struct word line = { text, (size_t)((newline ? newline : end) - text) };

		p->line++;
		if (line.len > 0 && line.at[line.len - 1] == '\r')
			line.len--;
		status = parse_line(p, word_trim(line), error);
		text = newline ? newline + 1 : end;
	}
	return status;
}

bool vmdk_is_descriptor(const uint8_t *head, size_t len)
{
	return len >= strlen(FIRST_LINE) && !memcmp(head, FIRST_LINE, strlen(FIRST_LINE));
}

static int parse(struct parser *p, const uint8_t *text, size_t len, struct mkrootfs_error *error)
{
	int status;

	if (!vmdk_is_descriptor(text, len))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "no VMDK descriptor");
	if (len > VMDK_DESCRIPTOR_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the descriptor is too long");
	if (memchr(text, '\0', len))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the descriptor holds a NUL");
	status = parse_lines(p, (const char *)text, len, error);
	if (status < 0)
		return status;
	if (!p->has_version || !p->has_parent)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the descriptor lacks %s",
				 p->has_version ? "parentCID" : "version");
	if (p->disk->count == 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the descriptor has no extents");
	return 0;
}

int vmdk_parse(struct vmdk_disk *disk, const uint8_t *text, size_t len,
	       struct mkrootfs_error *error)
{
	struct parser p = { .disk = disk };
	int status;

	*disk = (struct vmdk_disk){ .names = BUF_INIT(VMDK_DESCRIPTOR_MAX) };
	status = parse(&p, text, len, error);
	for (size_t i = 0; status == 0 && i < disk->count; i++)
		disk->extents[i].name = (const char *)disk->names.data + p.names[i];
	free(p.names);
	if (status < 0)
		vmdk_disk_free(disk);
	return status;
}

void vmdk_disk_free(struct vmdk_disk *disk)
{
	free(disk->extents);
	buf_free(&disk->names);
	*disk = (struct vmdk_disk){ 0 };
}
