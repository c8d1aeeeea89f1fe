/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a registry is reached, as options of every command that talks to one.
 *
 *	static const struct option_spec options[] = { ..., OPTION_SPECS_REGISTRY, OPTION_SPEC_END };
 *	int code = read_registry_options(&options.registry, invocation);
 */
#ifndef CLI_REGISTRY_OPTIONS_H
#define CLI_REGISTRY_OPTIONS_H

#include "command.h"

/* clang-format off */
#define OPTION_SPECS_REGISTRY \
	{ OPTION_PLAIN_HTTP, 0, "plain-http", NULL, \
	  "talk HTTP instead of HTTPS to the registry;\nnot needed for one on this machine" }, \
	{ OPTION_CA_CERT, 0, "ca-cert", "FILE", \
	  "authorities to trust beside the system's" }, \
	{ OPTION_CERT_DIR, 0, "cert-dir", "DIR", \
	  "folder as in docker's certs.d: *.crt, and a\nclient's *.cert with its *.key" }, \
	{ OPTION_TLS_VERIFY, 0, "tls-verify", "BOOL", \
	  "false: do not check certificates, and take\nplain HTTP too; default true" }, \
	{ OPTION_RETRY_TIMES, 0, "retry-times", "N", \
	  "further attempts after a failure that may\npass; default 3" }, \
	{ OPTION_CONNECT_TIMEOUT, 0, "connect-timeout", "SECONDS", \
	  "until a connection stands; default 30" }, \
	{ OPTION_IDLE_TIMEOUT, 0, "idle-timeout", "SECONDS", \
	  "without a byte on it; default 60" }
/* clang-format on */

/*
 * Sets what those options say, leaves the rest. Borrows from the invocation. Returns 0, or the exit
 * code of a usage error that it printed.
 */
int read_registry_options(struct mkrootfs_registry_options *options,
			  const struct invocation *invocation);

#endif
