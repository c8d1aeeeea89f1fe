/* SPDX-License-Identifier: Apache-2.0 */
#include "grammar.h"

#include <string.h>

#define ALPHANUMERIC GRAMMAR_LOWER GRAMMAR_UPPER GRAMMAR_DIGITS

bool grammar_is_tag(const char *text)
{
	return text[0] && !strchr(".-", text[0]) && !text[strspn(text, ALPHANUMERIC "_.-")];
}

/* Length of the separator at text: one of "." "_" "__" or any number of '-'; 0 for none. */
static size_t separator_length(const char *text)
{
	size_t dashes = strspn(text, "-");

	if (dashes)
		return dashes;
	return !strncmp(text, "__", 2) ? 2 : *text == '.' || *text == '_' ? 1 : 0;
}

/* One path component: runs of a-z0-9 with one separator between each two. */
static bool is_component(const char *text, size_t len)
{
	const char *end = text + len;
	size_t run = strspn(text, GRAMMAR_LOWER GRAMMAR_DIGITS);

	while (run > 0 && text + run < end) {
		size_t separator = separator_length(text + run);

		if (separator == 0)
			return false;
		text += run + separator;
		run = strspn(text, GRAMMAR_LOWER GRAMMAR_DIGITS);
	}
	return run > 0 && text + run == end;
}

bool grammar_is_repository(const char *text)
{
	for (;;) {
		size_t len = strcspn(text, "/");

		if (len == 0 || !is_component(text, len))
			return false;
		if (!text[len])
			return true;
		text += len + 1;
	}
}

bool grammar_is_domain(const char *text)
{
	for (;;) {
		size_t len = strcspn(text, ".");

		if (len == 0 || strspn(text, ALPHANUMERIC "-") < len || text[0] == '-' ||
		    text[len - 1] == '-')
			return false;
		if (!text[len])
			return true;
		text += len + 1;
	}
}

bool grammar_is_image_id(const char *text)
{
	return strlen(text) == 64 && strspn(text, GRAMMAR_DIGITS "abcdef") == 64;
}

bool grammar_is_host(const char *component, size_t len)
{
	return memchr(component, '.', len) || memchr(component, ':', len) ||
	       (len == 9 && !strncmp(component, "localhost", 9));
}
