/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct word word_trim(struct word w)
{
	while (w.len > 0 && is_blank(w.at[0])) {
		w.at++;
		w.len--;
	}
	while (w.len > 0 && is_blank(w.at[w.len - 1]))
		w.len--;
	return w;
}

struct word word_take(struct word *line)
{
	struct word w;

	*line = word_trim(*line);
	w = (struct word){ line->at, 0 };
	while (w.len < line->len && !is_blank(w.at[w.len]))
		w.len++;
	line->at += w.len;
	line->len -= w.len;
	*line = word_trim(*line);
	return w;
}

bool word_is(struct word w, const char *text)
{
	return w.len == strlen(text) && !strncasecmp(w.at, text, w.len);
}

bool word_number(uint64_t *out, struct word w)
{
	*out = 0;
	if (w.len == 0 || w.len > 18)
		return false;
	for (size_t i = 0; i < w.len; i++) {
		if (w.at[i] < '0' || w.at[i] > '9')
			return false;
		*out = *out * 10 + (uint64_t)(w.at[i] - '0');
	}
	return true;
}
