/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_parser.h"
#include "toml_string.h"

static int fail(struct toml_parser *p, const char *why)
{
	return toml_fail(&p->c, p->error, "%s", why);
}

bool toml_is_bare(int byte)
{
	int letter = byte | 0x20;

	return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' ||
	       byte == '_';
}

static int read_bare_key(struct toml_parser *p)
{
	const uint8_t *from = p->c.at;

	while (toml_is_bare(toml_peek(&p->c, 0)))
		p->c.at++;
	if (p->c.at == from)
		return fail(p, "a key is missing");
	buf_clear(&p->scratch);
	return buf_append(&p->scratch, from, (size_t)(p->c.at - from), p->error);
}

static int read_key_part(struct toml_parser *p, struct toml_key *key)
{
	int quote = toml_peek(&p->c, 0);
	int status;

	if (key->count == TOML_DEPTH_MAX)
		return fail(p, "too many parts of a key");
	if (quote == '"' || quote == '\'')
		status = toml_read_string(&p->scratch, &p->c, true, p->error);
	else
		status = read_bare_key(p);
	if (status < 0)
		return status;
	key->parts[key->count].len = p->scratch.len;
	return toml_copy_text(p->document, &key->parts[key->count++].text, p->scratch.data,
			      p->scratch.len, p->error);
}

int toml_read_key(struct toml_parser *p, struct toml_key *key)
{
	key->count = 0;
	do {
		toml_skip_blanks(&p->c);
		if (read_key_part(p, key) < 0)
			return p->error->status;
		toml_skip_blanks(&p->c);
	} while (toml_take(&p->c, '.'));
	return 0;
}
