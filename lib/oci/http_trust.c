/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system's authorities. libcurl is built to trust a file of them all, and on many systems a
 * folder of the same, where each is found under the hash of its name. OpenSSL looks up there the
 * one that it needs; the file it reads and parses for each connection, which costs more than the
 * connection. So the folder is asked alone, and once more with the file if that does not do: the
 * same are trusted.
 */
#include "http_session.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

/* As "openssl rehash" names them. */
static bool is_hash(const char *name)
{
	return strspn(name, "0123456789abcdef") == 8 && name[8] == '.' && name[9] >= '0' &&
	       name[9] <= '9';
}

static bool has_hashes(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	bool found = false;

	if (!folder)
		return false;
	while (!found && (entry = readdir(folder)))
		found = is_hash(entry->d_name);
	closedir(folder);
	return found;
}

/* Other libraries read all of a folder. */
static bool is_openssl(const struct http_session *session)
{
	const curl_version_info_data *info = session->curl->version_info(CURLVERSION_NOW);

	return info->ssl_version && !strncmp(info->ssl_version, "OpenSSL/", strlen("OpenSSL/"));
}

static bool has_folder(const struct http_session *session)
{
#if LIBCURL_VERSION_NUM >= 0x075400
	char *path = NULL;

	return is_openssl(session) &&
	       session->curl->easy_getinfo(session->easy, CURLINFO_CAPATH, &path) == CURLE_OK &&
	       path && has_hashes(path);
#else
	(void)session;
	return false;
#endif
}

void http_trust_system(struct http_session *session)
{
	if (session->trust == HTTP_TRUST_UNKNOWN)
		session->trust = has_folder(session) ? HTTP_TRUST_FOLDER : HTTP_TRUST_ALL;
	if (session->trust == HTTP_TRUST_FOLDER)
		http_setopt(session, CURLOPT_CAINFO, (char *)NULL);
}

/* Without it another attempt would tell that it is missing, and not what is wrong. */
static bool has_file(const struct http_session *session)
{
#if LIBCURL_VERSION_NUM >= 0x075400
	char *path = NULL;

	return session->curl->easy_getinfo(session->easy, CURLINFO_CAINFO, &path) == CURLE_OK &&
	       path && access(path, R_OK) == 0;
#else
	(void)session;
	return true;
#endif
}

bool http_trust_more(struct http_session *session)
{
	if (session->trust != HTTP_TRUST_FOLDER ||
	    session->result != CURLE_PEER_FAILED_VERIFICATION || !has_file(session))
		return false;
	session->trust = HTTP_TRUST_ALL;
	return true;
}
