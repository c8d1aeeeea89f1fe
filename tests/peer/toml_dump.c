/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TOML documents as JSON, one line each, for a comparison with another reader.
 *
 *	standard input: for each document its length in decimal, a newline, its bytes
 *	standard output: ["string", "..."] and the like for each value, or {"error": "..."}
 *
 * Texts are written in hexadecimal, so that no byte depends on JSON's escapes.
 */
#include "base/toml.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_hex(const char *text, size_t len)
{
	putchar('"');
	for (size_t i = 0; i < len; i++)
		printf("%02x", (unsigned char)text[i]);
	putchar('"');
}

static void print_value(const struct toml_value *value);

static void print_members(const struct toml_value *value)
{
	bool table = value->type == TOML_TABLE;

	putchar(table ? '{' : '[');
	for (const struct toml_value *member = value->first; member; member = member->next) {
		if (table) {
			print_hex(member->key, member->key_len);
			putchar(':');
		}
		print_value(member);
		if (member->next)
			putchar(',');
	}
	putchar(table ? '}' : ']');
}

static void print_value(const struct toml_value *value)
{
	printf("[\"%s\",", toml_type_name(value->type));
	if (value->type == TOML_TABLE || value->type == TOML_ARRAY)
		print_members(value);
	else if (value->type == TOML_INTEGER || value->type == TOML_BOOLEAN)
		printf("%" PRId64, value->integer);
	else
		print_hex(value->text, value->len);
	putchar(']');
}

static void dump(const char *data, size_t len)
{
	struct mkrootfs_error error;
	struct toml *document;

	if (toml_parse(&document, data, len, &error) < 0) {
		printf("{\"error\":");
		print_hex(error.message, strlen(error.message));
		printf("}\n");
		return;
	}
	print_value(toml_root(document));
	putchar('\n');
	toml_free(document);
}

int main(void)
{
	size_t len;

	while (scanf("%zu", &len) == 1 && getchar() == '\n') {
		/* Exactly as many bytes as there are, so that a sanitizer sees a step too far. */
		char *data = malloc(len ? len : 1);

		if (!data || fread(data, 1, len, stdin) != len)
			return 1;
		dump(data, len);
		free(data);
	}
	return 0;
}
