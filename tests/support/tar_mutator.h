/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer's mutations of an archive, with checksums that are right: else hardly any input would
 * get past its first header. For one file of a program.
 */
#ifndef TESTS_SUPPORT_TAR_MUTATOR_H
#define TESTS_SUPPORT_TAR_MUTATOR_H

#include "tar/header.h"

#include <stdio.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Only blocks that carry the magic, and the first one: others are more likely content. */
static void mend_checksums(uint8_t *data, size_t size)
{
	for (size_t at = 0; at + TAR_BLOCK_SIZE <= size; at += TAR_BLOCK_SIZE) {
		uint8_t *block = data + at;
		unsigned sum = 0;

		if (at > 0 && memcmp(block + 257, "ustar", 5) != 0)
			continue;
		memset(block + 148, ' ', 8);
		for (size_t i = 0; i < TAR_BLOCK_SIZE; i++)
			sum += block[i];
		snprintf((char *)block + 148, 8, "%06o", sum);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	size = LLVMFuzzerMutate(data, size, max_size);
	if (seed % 8 > 0)
		mend_checksums(data, size);
	return size;
}

#endif
