/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_number.h"
#include "toml_parser.h"
#include "toml_string.h"

#include <string.h>

static int fail(struct toml_parser *p, const char *why)
{
	return toml_fail(&p->c, p->error, "%s", why);
}

static int read_string(struct toml_parser *p, struct toml_value *value)
{
	if (toml_read_string(&p->scratch, &p->c, false, p->error) < 0)
		return p->error->status;
	value->len = p->scratch.len;
	return toml_copy_text(p->document, &value->text, p->scratch.data, value->len, p->error);
}

static size_t word_length(const struct toml_cursor *c, size_t from)
{
	size_t len = from;

	for (int byte; (byte = toml_peek(c, len)) > 0; len++) {
		if (!toml_is_bare(byte) && byte != '+' && byte != '.' && byte != ':')
			break;
	}
	return len;
}

/* A float is kept without its underscores, a date as it is. */
static int keep_word(struct toml_parser *p, struct toml_value *value, const char *word, size_t len)
{
	int status = buf_append(&p->scratch, "", 0, p->error);

	buf_clear(&p->scratch);
	for (size_t i = 0; status == 0 && i < len; i++) {
		if (word[i] != '_')
			status = buf_append(&p->scratch, &word[i], 1, p->error);
	}
	value->len = p->scratch.len;
	return status < 0 ? status
			  : toml_copy_text(p->document, &value->text, p->scratch.data, value->len,
					   p->error);
}

static int read_number(struct toml_parser *p, struct toml_value *value, const char *word,
		       size_t len)
{
	enum toml_number_kind kind = toml_number_kind(word, len);

	if (kind == TOML_NUMBER_NONE)
		return fail(p, "this is no value: strings stand in quotes");
	value->type = kind == TOML_NUMBER_INTEGER ? TOML_INTEGER : TOML_FLOAT;
	if (kind == TOML_NUMBER_FLOAT)
		return keep_word(p, value, word, len);
	if (!toml_number_integer(&value->integer, word, len))
		return fail(p, "the integer does not fit 64 bits");
	return 0;
}

/* A date and a time may have a space between them. */
static size_t date_length(const struct toml_cursor *c, size_t len)
{
	if (len == 10 && toml_is_date((const char *)c->at, len) && toml_peek(c, 10) == ' ' &&
	    toml_is_bare(toml_peek(c, 11)))
		return word_length(c, 11);
	return len;
}

static bool is_word(const char *word, size_t len, const char *text)
{
	return len == strlen(text) && !memcmp(word, text, len);
}

/* A boolean, number, date or time. */
static int read_word(struct toml_parser *p, struct toml_value *value)
{
	const char *word = (const char *)p->c.at;
	size_t len = date_length(&p->c, word_length(&p->c, 0));
	int status = 0;

	if (len == 0)
		return fail(p, "a value is missing");
	if (is_word(word, len, "true") || is_word(word, len, "false")) {
		value->type = TOML_BOOLEAN;
		value->integer = *word == 't';
	} else if (toml_is_date(word, len)) {
		value->type = TOML_DATE;
		status = keep_word(p, value, word, len);
	} else {
		status = read_number(p, value, word, len);
	}
	p->c.at += len;
	return status;
}

static int read_array(struct toml_parser *p, struct toml_value *array)
{
	struct toml_value *item;

	toml_take(&p->c, '[');
	for (;;) {
		toml_skip_filling(&p->c);
		if (toml_take(&p->c, ']'))
			return 0;
		if (array->len > 0 && !toml_take(&p->c, ','))
			return fail(p, "',' or ']' is missing in an array");
		toml_skip_filling(&p->c);
		/* A last comma may stand behind the last item. */
		if (array->len > 0 && toml_take(&p->c, ']'))
			return 0;
		if (toml_read_value(p, &item) < 0)
			return p->error->status;
		toml_append_item(array, item);
	}
}

int toml_read_member(struct toml_parser *p, struct toml_value *table)
{
	struct toml_key key;
	struct toml_value *value, *parent;
	const uint8_t *from = p->c.at;
	unsigned line = toml_line(&p->c);

	if (toml_read_key(p, &key) < 0)
		return p->error->status;
	if (!toml_take(&p->c, '='))
		return fail(p, "'=' is missing behind the key");
	toml_skip_blanks(&p->c);
	if (toml_read_value(p, &value) < 0)
		return p->error->status;
	if (toml_open_parent(p->document, &parent, table, &key, p->section, line, p->error) < 0 ||
	    toml_add_member(p->document, parent, &key, value, p->error) < 0)
		return toml_place_error(&p->c, from, p->error);
	return 0;
}

static int read_members(struct toml_parser *p, struct toml_value *table)
{
	toml_skip_blanks(&p->c);
	if (toml_take(&p->c, '}'))
		return 0;
	do {
		toml_skip_blanks(&p->c);
		if (toml_read_member(p, table) < 0)
			return p->error->status;
		toml_skip_blanks(&p->c);
	} while (toml_take(&p->c, ','));
	return toml_take(&p->c, '}') ? 0 : fail(p, "',' or '}' is missing in an inline table");
}

/* Its dotted keys are a section of their own. */
static int read_inline_table(struct toml_parser *p, struct toml_value *table)
{
	unsigned outer = p->section;
	int status;

	toml_take(&p->c, '{');
	p->section = ++p->last_section;
	status = read_members(p, table);
	p->section = outer;
	toml_close_table(table);
	return status;
}

static int read_nested(struct toml_parser *p, struct toml_value *value)
{
	int status;

	if (p->depth == TOML_DEPTH_MAX)
		return fail(p, "arrays and tables are nested too deep");
	p->depth++;
	status = value->type == TOML_ARRAY ? read_array(p, value) : read_inline_table(p, value);
	p->depth--;
	return status;
}

int toml_read_value(struct toml_parser *p, struct toml_value **out)
{
	int byte = toml_peek(&p->c, 0);
	enum toml_type type = byte == '[' ? TOML_ARRAY : byte == '{' ? TOML_TABLE : TOML_STRING;

	if (toml_new_value(p->document, out, type, toml_line(&p->c), p->error) < 0)
		return p->error->status;
	if (type != TOML_STRING)
		return read_nested(p, *out);
	return byte == '"' || byte == '\'' ? read_string(p, *out) : read_word(p, *out);
}
