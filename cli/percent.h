/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Percentages as people write them: "5", "0.5", "12.25%".
 *
 *	uint32_t ppm;
 *	const char *problem = percent_parse(&ppm, "0.5", 50);
 */
#ifndef CLI_PERCENT_H
#define CLI_PERCENT_H

#include <stdint.h>

/* Millionths of the whole. Returns NULL, or what is wrong, static text. */
const char *percent_parse(uint32_t *ppm, const char *text, uint32_t most);

#endif
