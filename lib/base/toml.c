/* SPDX-License-Identifier: Apache-2.0 */
/* What is done with a TOML document once it was read. */
#include "toml.h"

#include <string.h>

const struct toml_value *toml_first(const struct toml_value *table_or_array)
{
	return table_or_array ? table_or_array->first : NULL;
}

const struct toml_value *toml_get(const struct toml_value *table, const char *key)
{
	const struct toml_value *member = table && table->type == TOML_TABLE ? table->first : NULL;
	size_t len = strlen(key);

	while (member && (member->key_len != len || memcmp(member->key, key, len) != 0))
		member = member->next;
	return member;
}

const char *toml_text(const struct toml_value *string)
{
	if (!string || string->type != TOML_STRING || strlen(string->text) != string->len)
		return NULL;
	return string->text;
}

const char *toml_type_name(enum toml_type type)
{
	static const char *const names[] = {
		"nothing",    "a table", "an array",  "a string",
		"an integer", "a float", "a boolean", "a date or time"
	};

	return names[type];
}
