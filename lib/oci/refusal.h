/* SPDX-License-Identifier: Apache-2.0 */
/* A response that is not what was asked for, as an error in one line. */
#ifndef MKROOTFS_OCI_REFUSAL_H
#define MKROOTFS_OCI_REFUSAL_H

#include "client.h"

/*
 * Always an error: 401 and 403 are DENIED, 404 is NOT_FOUND, 429 is RATE_LIMIT, everything else is
 * NETWORK. Gives advice, but for DENIED: who knows the credentials does. what names what was asked
 * for ("image docker.io/library/x:1"). Adds the server's own words where the body is the JSON that
 * the distribution-spec describes, or plain text. Reads from the body, does not close it.
 */
int refusal_error(struct client_response *response, const char *what, struct mkrootfs_error *error);

#endif
