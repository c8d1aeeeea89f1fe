/* SPDX-License-Identifier: Apache-2.0 */
/* What a token server is asked: as a URL, or as a form. */
#ifndef MKROOTFS_OCI_TOKEN_QUERY_H
#define MKROOTFS_OCI_TOKEN_QUERY_H

#include "token.h"

#define TOKEN_URL_MAX (16u << 10)   /* bytes */
#define TOKEN_FORM_MAX (256u << 10) /* bytes; it holds secrets */

int token_query_url(struct buf *out, const struct token_request *request,
		    struct mkrootfs_error *error);
/* OAuth 2 (RFC 6749), as docker's token specification uses it. The request has credentials. */
int token_query_form(struct buf *out, const struct token_request *request,
		     struct mkrootfs_error *error);

#endif
