/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGINT, SIGTERM and SIGHUP as a question that a long operation asks now and then.
 *
 *	interrupt_watch();
 *	while (more && !interrupt_signal())
 *		...
 *
 * Only the first signal is caught. The next one ends the process at once: the way out of an
 * operation that does not ask.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

/* From here on the signals are noted, those excepted that the parent had us ignore. */
void interrupt_watch(void);

/* The number of the signal that came, or 0. */
int interrupt_signal(void);

#endif
