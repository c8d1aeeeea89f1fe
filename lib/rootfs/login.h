/* SPDX-License-Identifier: Apache-2.0 */
/* Logging in to a registry and out of it: what mkrootfs_login and its like do. */
#ifndef MKROOTFS_ROOTFS_LOGIN_H
#define MKROOTFS_ROOTFS_LOGIN_H

#include "../base/error.h"

int login(const struct mkrootfs_login_options *options, struct mkrootfs_error *error);
int logout(const char *registry, const char *auth_file, struct mkrootfs_error *error);
int login_user(char user[MKROOTFS_USER_SIZE], const char *registry,
	       const struct mkrootfs_registry_options *options, struct mkrootfs_error *error);

#endif
