/* SPDX-License-Identifier: Apache-2.0 */
#include "mirror_causes.h"

#include <stdio.h>
#include <string.h>

#define CAUSE_MAX 200 /* bytes of one cause among others */

void mirror_cause_format(char *out, size_t size, const char *name,
			 const struct mkrootfs_error *cause)
{
	bool named = strstr(cause->message, name) != NULL;

	if (snprintf(out, size, "%s%s%s", named ? "" : name, named ? "" : ": ", cause->message) < 0)
		out[0] = '\0';
}

void mirror_causes_add(struct mirror_causes *causes, const char *name,
		       const struct mkrootfs_error *cause)
{
	char text[CAUSE_MAX];
	size_t len;

	mirror_cause_format(text, sizeof(text), name, cause);
	len = strlen(text) + 2;
	if (causes->left_out || causes->len + len >= sizeof(causes->text)) {
		causes->left_out++;
		return;
	}
	causes->len += (size_t)sprintf(causes->text + causes->len, "; %s", text);
}

int mirror_causes_append(const struct mirror_causes *causes, struct mkrootfs_error *error)
{
	struct mkrootfs_error last = *error;
	char more[32] = "";

	if (!causes->len)
		return error->status;
	if (causes->left_out)
		snprintf(more, sizeof(more), "; and %u more", causes->left_out);
	error_set(error, last.status, "%.340s; before that:%s%s", last.message, causes->text + 1,
		  more);
	error->os_errno = last.os_errno;
	memcpy(error->advice, last.advice, sizeof(error->advice));
	return error->status;
}

bool mirror_cause_is_remote(const struct mkrootfs_error *cause)
{
	switch (cause->status) {
	case MKROOTFS_OK:
	case MKROOTFS_ERROR_INVALID:
	case MKROOTFS_ERROR_IO:
	case MKROOTFS_ERROR_NO_SPACE:
	case MKROOTFS_ERROR_CANCELLED:
	case MKROOTFS_ERROR_NO_MEMORY:
		return false;
	default:
		return true;
	}
}

bool mirror_cause_is_network(const struct mkrootfs_error *cause)
{
	return cause->status == MKROOTFS_ERROR_NETWORK || cause->status == MKROOTFS_ERROR_TLS ||
	       cause->status == MKROOTFS_ERROR_NAME || cause->status == MKROOTFS_ERROR_RATE_LIMIT;
}
