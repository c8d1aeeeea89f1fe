/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Retry-After header (RFC 9110, section 10.2.3).
 *
 *	int64_t seconds = retry_after_seconds("120", NULL);
 *	int64_t seconds = retry_after_seconds("Fri, 31 Dec 1999 23:59:59 GMT", date);
 */
#ifndef MKROOTFS_OCI_RETRY_AFTER_H
#define MKROOTFS_OCI_RETRY_AFTER_H

#include <stdint.h>

#define RETRY_AFTER_UNKNOWN (-1)
#define RETRY_AFTER_MAX 1000000000 /* seconds; longer ones are cut to it */

/*
 * date is the value of the response's own Date header or NULL: a time in Retry-After is read as the
 * distance from there, so that neither clock needs to be right. UNKNOWN when value is NULL, is
 * neither form, or is a time without a date. A time that is over is 0.
 */
int64_t retry_after_seconds(const char *value, const char *date);

/*
 * Seconds since 1970 of an IMF-fixdate, the one form that senders may write (RFC 9110, section
 * 5.6.7); negative for anything else.
 */
int64_t http_date_parse(const char *text);

#endif
