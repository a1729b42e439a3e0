// SPDX-License-Identifier: GPL-2.0
/* What user_memory.cocci must say something about. */
static int bad(void *to, const void *from, size_t size)
{
	char *text = memdup_user_nul(from, size); /* fires */

	if (get_user(size, (size_t *)from)) /* fires */
		return -EFAULT;
	if (!copy_to_user(to, from, size)) /* fires */
		memcpy(text, from, size);
	return 0;
}
