/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_parser.h"

static int fail(struct toml_parser *p, const char *why)
{
	return toml_fail(&p->c, p->error, "%s", why);
}

static int read_header(struct toml_parser *p)
{
	const uint8_t *from = p->c.at;
	bool in_array = toml_take_text(&p->c, "[[");
	unsigned line = toml_line(&p->c);
	struct toml_key key;

	if (!in_array)
		toml_take(&p->c, '[');
	if (toml_read_key(p, &key) < 0)
		return p->error->status;
	if (!toml_take_text(&p->c, in_array ? "]]" : "]"))
		return fail(p, in_array ? "']]' is missing" : "']' is missing");
	p->section = ++p->last_section;
	if (toml_open_table(p->document, &p->table, &key, in_array, line, p->error) < 0)
		return toml_place_error(&p->c, from, p->error);
	return 0;
}

static int read_line(struct toml_parser *p)
{
	int byte = toml_peek(&p->c, 0);
	int status = 0;

	if (byte == '[')
		status = read_header(p);
	else if (byte != '#' && byte != '\n' && byte != '\r' && byte != -1)
		status = toml_read_member(p, p->table);
	if (status < 0)
		return status;
	toml_skip_blanks(&p->c);
	toml_skip_comment(&p->c);
	if (p->c.at < p->c.end && !toml_take_newline(&p->c))
		return fail(p, "the line should end here");
	return 0;
}

static int read_document(struct toml_parser *p)
{
	int status = 0;

	p->table = toml_root_table(p->document);
	p->section = p->last_section = 1;
	while (status == 0 && p->c.at < p->c.end) {
		toml_skip_blanks(&p->c);
		status = read_line(p);
	}
	return status;
}

int toml_parse(struct toml **out, const void *data, size_t len, struct mkrootfs_error *error)
{
	struct toml_parser p = { .scratch = BUF_INIT(TOML_SIZE_MAX), .error = error };
	int status = 0;

	*out = NULL;
	if (len > TOML_SIZE_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %u bytes", TOML_SIZE_MAX);
	status = toml_cursor_open(&p.c, data, len, error);
	if (status == 0)
		status = toml_tables_create(&p.document, error);
	if (status == 0)
		status = read_document(&p);
	buf_free(&p.scratch);
	if (status < 0)
		toml_free(p.document);
	else
		*out = p.document;
	return status;
}
