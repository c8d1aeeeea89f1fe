/* SPDX-License-Identifier: Apache-2.0 */
#include "head.h"

#include <string.h>
#include <strings.h>

void head_init(struct head *head)
{
	memset(head, 0, sizeof(*head));
	head->lines = BUF_INIT(HEAD_MAX_SIZE);
}

void head_clear(struct head *head)
{
	buf_clear(&head->lines);
	head->status = 0;
	head->done = false;
}

void head_free(struct head *head)
{
	buf_free(&head->lines);
}

/* The number behind the first space of "HTTP/1.1 200 OK". */
static int parse_status(const char *line, size_t len)
{
	const char *end = line + len, *at = memchr(line, ' ', len);
	int status = 0;

	for (int i = 0; at && i < 3 && ++at < end && *at >= '0' && *at <= '9'; i++)
		status = status * 10 + (*at - '0');
	return status;
}

int head_take_line(struct head *head, const char *line, size_t len, struct mkrootfs_error *error)
{
	if (head->done)
		return 0;
	while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == '\n'))
		len--;
	if (len == 0) {
		head->done = head->status >= 200;
		return 0;
	}
	if (len >= 5 && !strncmp(line, "HTTP/", 5)) {
		head_clear(head);
		head->status = parse_status(line, len);
	}
	if (buf_append(&head->lines, line, len, error) < 0)
		return error->status;
	return buf_append(&head->lines, "\n", 1, error);
}

static bool line_has_name(const char *line, const char *name)
{
	size_t len = strlen(name);

	return !strncasecmp(line, name, len) && line[len] == ':';
}

int head_values(struct buf *out, const struct head *head, const char *name,
		struct mkrootfs_error *error)
{
	const char *line = head->lines.len ? (const char *)head->lines.data : "";
	size_t start = out->len;
	int status = 0;

	while (*line && status == 0) {
		size_t len = strcspn(line, "\n");

		if (line_has_name(line, name)) {
			const char *value = line + strlen(name) + 1;

			value += strspn(value, " \t");
			status = buf_printf(out, error, "%s%.*s", out->len > start ? ", " : "",
					    (int)(line + len - value), value);
		}
		line += len + (line[len] == '\n');
	}
	return status;
}
