/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificates that a user gives for one registry: a file of authorities, and a folder as in
 * docker's and podman's certs.d: NAME.crt are authorities, NAME.cert is a client's certificate and
 * NAME.key its key.
 *
 *	struct tls_files files;
 *	tls_files_load(&files, "ca.pem", "/etc/docker/certs.d/registry.example", error);
 *	use(files.authorities.data, files.certificate, files.key);
 *	tls_files_free(&files);
 */
#ifndef MKROOTFS_OCI_TLS_FILES_H
#define MKROOTFS_OCI_TLS_FILES_H

#include "../base/buf.h"

#define TLS_FILES_MAX_SIZE (16u << 20) /* bytes of all authorities */

struct tls_files {
	struct buf authorities; /* PEM, one behind the other; empty: none was given */
	char *certificate;	/* path, or NULL */
	char *key;		/* path, or NULL */
};

/*
 * Either may be NULL. Fails with INVALID when a file or the folder cannot be read, an authority
 * holds no certificate, or a client's certificate or key is there without the other. Of several
 * client's certificates the first by name is taken. files may be freed in any case.
 */
int tls_files_load(struct tls_files *files, const char *ca_cert, const char *cert_dir,
		   struct mkrootfs_error *error);
void tls_files_free(struct tls_files *files);

#endif
