/* SPDX-License-Identifier: Apache-2.0 */
/* What a process costs that is linked to the C library and does nothing. */
int main(void)
{
	return 0;
}
