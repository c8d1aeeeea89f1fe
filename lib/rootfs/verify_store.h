/* SPDX-License-Identifier: Apache-2.0 */
/* What a store holds. */
#ifndef MKROOTFS_ROOTFS_VERIFY_STORE_H
#define MKROOTFS_ROOTFS_VERIFY_STORE_H

#include "../store/store.h"
#include "verify_run.h"

int verify_named(struct verify_run *run, const struct store *store, const char *name,
		 struct mkrootfs_error *error);
int verify_everything(struct verify_run *run, const struct store *store,
		      struct mkrootfs_error *error);
/* Takes out of the store what the run found damaged. */
int verify_remove(struct verify_run *run, const struct store *store, struct mkrootfs_error *error);

#endif
