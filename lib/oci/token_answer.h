/* SPDX-License-Identifier: Apache-2.0 */
/* What a token server answers. */
#ifndef MKROOTFS_OCI_TOKEN_ANSWER_H
#define MKROOTFS_OCI_TOKEN_ANSWER_H

#include "../io/source.h"
#include "token.h"

/* Reads all of source. */
int token_answer_read(struct token *out, struct source *source, struct mkrootfs_error *error);

#endif
