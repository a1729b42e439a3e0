# SPDX-License-Identifier: GPL-2.0

# median LIST COUNT: sorts the list.
function median(list, count,   i, j, t) {
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
			t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
		}
	return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}
