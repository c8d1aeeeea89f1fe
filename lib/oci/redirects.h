/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request, and where redirects lead it.
 *
 *	redirects_follow(&end, session, &request, plain_http, error);
 *
 * At most 10. Credentials stay with the origin that they were meant for; a form is never sent on;
 * from HTTPS to plain HTTP only where plain_http says that it was asked for.
 */
#ifndef MKROOTFS_OCI_REDIRECTS_H
#define MKROOTFS_OCI_REDIRECTS_H

#include "http.h"
#include "url.h"

/* Where the response comes from that session holds after a success. */
struct redirects_end {
	struct url_origin origin;
	bool same_origin; /* as the request's URL */
};

int redirects_follow(struct redirects_end *end, struct http_session *session,
		     const struct http_request *request, bool plain_http,
		     struct mkrootfs_error *error);

#endif
