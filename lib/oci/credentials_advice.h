/* SPDX-License-Identifier: Apache-2.0 */
/* What a user should know who was refused: as whom it was asked, and what to do. */
#ifndef MKROOTFS_OCI_CREDENTIALS_ADVICE_H
#define MKROOTFS_OCI_CREDENTIALS_ADVICE_H

#include "credentials.h"

/* Completes the message of a refusal by the registry called name. Returns its status. */
int credentials_advise(struct mkrootfs_error *error, const struct credentials *credentials,
		       const char *name);

#endif
