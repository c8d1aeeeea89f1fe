/* SPDX-License-Identifier: Apache-2.0 */
#include "token_answer.h"

#include "../base/jval.h"

#include <string.h>

#define BODY_MAX_SIZE (1u << 20) /* bytes of the answer */
#define DEFAULT_LIFETIME 60	 /* seconds, as the token specification says */
#define LONGEST_LIFETIME 86400	 /* seconds */

static bool is_safe(const char *token)
{
	for (; *token; token++)
		if ((unsigned char)*token <= 0x20 || (unsigned char)*token >= 0x7f)
			return false;
	return true;
}

static unsigned lifetime_of(const struct jval *root)
{
	int64_t seconds;

	if (!jval_integer(&seconds, jval_get(root, "expires_in")) || seconds <= 0)
		return DEFAULT_LIFETIME;
	return seconds < LONGEST_LIFETIME ? (unsigned)seconds : LONGEST_LIFETIME;
}

/* Docker's servers say "token", OAuth 2 ones "access_token"; some say both. */
static int extract(struct token *out, const struct jval *root, struct mkrootfs_error *error)
{
	const char *token = jval_text(jval_get(root, "token"));

	if (!token || !token[0])
		token = jval_text(jval_get(root, "access_token"));
	if (!token || !token[0])
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the answer holds no token");
	if (!is_safe(token))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the token holds bytes that no token may hold");
	out->lifetime = lifetime_of(root);
	out->text = strdup(token);
	return out->text ? 0 : error_no_memory(error);
}

int token_answer_read(struct token *out, struct source *source, struct mkrootfs_error *error)
{
	struct buf body = BUF_INIT(BODY_MAX_SIZE);
	struct jval *root = NULL;
	int status = source_read_all(&body, source, error);

	if (status == 0)
		status = jval_parse_secret(&root, body.data, body.len, error);
	if (status == 0)
		status = extract(out, root, error);
	jval_wipe(root);
	buf_wipe(&body);
	return status;
}
