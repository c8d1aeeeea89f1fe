/* SPDX-License-Identifier: Apache-2.0 */
#include "challenge.h"

#include <string.h>
#include <strings.h>

/* A piece of the header. Quoted ones lend the text between the quotes, escapes and all. */
struct piece {
	const char *text;
	size_t len;
	bool quoted;
};

struct cursor {
	const char *at;
	struct challenge *out;
	bool in_bearer; /* parameters belong to the first Bearer challenge */
};

static bool is_token_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("!#$%&'*+-.^_`|~", c));
}

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t");
}

static bool take_token(struct piece *out, const char **at)
{
	out->text = *at;
	out->quoted = false;
	while (is_token_char(**at))
		(*at)++;
	out->len = (size_t)(*at - out->text);
	return out->len > 0;
}

/* The value of a parameter: a token or a quoted string; false when the quote is not closed. */
static bool take_value(struct piece *out, const char **at)
{
	const char *p = *at;

	if (*p != '"')
		/* Broken servers leave unquoted what has ':' and '/': take all up to the comma. */
		for (out->quoted = false; *p && !strchr(", \t\"", *p); p++)
			;
	else
		for (out->quoted = true, p++; *p && *p != '"'; p++)
			if (*p == '\\' && p[1])
				p++;
	out->text = *at + out->quoted;
	out->len = (size_t)(p - out->text);
	if (out->quoted && *p++ != '"')
		return false;
	*at = p;
	return true;
}

static bool piece_is(const struct piece *piece, const char *name)
{
	return piece->len == strlen(name) && !strncasecmp(piece->text, name, piece->len);
}

/* Copies without the escapes; false when it does not fit. The first of two equal ones stays. */
static bool keep(char *out, size_t size, const struct piece *value)
{
	size_t used = 0;

	if (out[0])
		return true;
	for (size_t i = 0; i < value->len; i++) {
		if (value->quoted && value->text[i] == '\\' && i + 1 < value->len)
			i++;
		if (used + 1 >= size)
			return false;
		out[used++] = value->text[i];
	}
	out[used] = '\0';
	return true;
}

static bool keep_parameter(struct challenge *out, const struct piece *name,
			   const struct piece *value)
{
	if (piece_is(name, "realm"))
		return keep(out->realm, sizeof(out->realm), value);
	if (piece_is(name, "service"))
		return keep(out->service, sizeof(out->service), value);
	if (piece_is(name, "scope"))
		return keep(out->scope, sizeof(out->scope), value);
	if (piece_is(name, "error"))
		return keep(out->error, sizeof(out->error), value);
	return true;
}

/* "name = value" at the cursor. When there is none, *found is false and the cursor stays. */
static bool take_parameter(struct cursor *cursor, bool *found)
{
	const char *at = cursor->at;
	struct piece name, value;

	*found = false;
	if (!take_token(&name, &at))
		return true;
	at = skip_space(at);
	if (*at != '=')
		return true;
	at = skip_space(at + 1);
	if (!take_value(&value, &at))
		return false;
	*found = true;
	cursor->at = at;
	return !cursor->in_bearer || keep_parameter(cursor->out, &name, &value);
}

/* The base64 text that schemes like Negotiate carry in the place of parameters. */
static void skip_token68(struct cursor *cursor)
{
	const char *at = cursor->at;
	size_t len = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				"0123456789-._~+/");

	at = skip_space(at + len + strspn(at + len, "="));
	if (len > 0 && (*at == ',' || !*at))
		cursor->at = at;
}

static bool take_scheme(struct cursor *cursor)
{
	struct piece scheme;

	if (!take_token(&scheme, &cursor->at))
		return false;
	cursor->in_bearer = piece_is(&scheme, "bearer") && !cursor->out->bearer;
	cursor->out->bearer |= cursor->in_bearer;
	cursor->out->basic |= piece_is(&scheme, "basic");
	if (*cursor->at && !strchr(" \t,", *cursor->at))
		return false;
	cursor->at = skip_space(cursor->at);
	skip_token68(cursor);
	return true;
}

static bool parse(struct cursor *cursor)
{
	for (;;) {
		bool found;

		cursor->at += strspn(cursor->at, ", \t");
		if (!*cursor->at)
			return true;
		if (!take_parameter(cursor, &found))
			return false;
		if (!found && !take_scheme(cursor))
			return false;
	}
}

int challenge_parse(struct challenge *out, const char *header, struct mkrootfs_error *error)
{
	struct cursor cursor = { .at = header, .out = out };

	memset(out, 0, sizeof(*out));
	if (parse(&cursor) && (!out->bearer || out->realm[0]))
		return 0;
	memset(out, 0, sizeof(*out));
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "the registry's WWW-Authenticate header is malformed: %.200s", header);
}
