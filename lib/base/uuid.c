/* SPDX-License-Identifier: Apache-2.0 */
#include "uuid.h"

#include <ctype.h>
#include <string.h>

void uuid_from_digest(uint8_t uuid[UUID_SIZE], const struct digest *digest)
{
	memcpy(uuid, digest->bytes, UUID_SIZE);
	uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x80);
	uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
}

static uint8_t hex_digit(char c)
{
	return (uint8_t)(isdigit((unsigned char)c) ? c - '0'
						   : tolower((unsigned char)c) - 'a' + 10);
}

static bool is_uuid_text(const char *text)
{
	if (strlen(text) != 36)
		return false;
	for (int i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

int uuid_parse(uint8_t uuid[UUID_SIZE], const char *text, struct mkrootfs_error *error)
{
	static const uint8_t nil[UUID_SIZE];
	int digit = 0;

	memset(uuid, 0, UUID_SIZE);
	if (!is_uuid_text(text))
		return error_set(
			error, MKROOTFS_ERROR_INVALID,
			"'%.64s' is not a UUID such as 12345678-9abc-4def-8123-456789abcdef", text);
	for (; *text; text++)
		if (*text != '-') {
			uuid[digit / 2] = (uint8_t)(uuid[digit / 2] << 4 | hex_digit(*text));
			digit++;
		}
	if (!memcmp(uuid, nil, UUID_SIZE))
		return error_set(error, MKROOTFS_ERROR_INVALID, "the UUID must not be all zeros");
	return 0;
}
