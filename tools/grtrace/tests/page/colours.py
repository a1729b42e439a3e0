#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Whether all readers can distinguish the colours of a page.

Usage: colours.py PAGE

Reads the style of PAGE. Colours that stand side by side have to differ by more than 20 (CIE76)
for people with normal sight and with each kind of colour blindness, in the light and in the dark.
How the blind see is after Machado, Oliveira and Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency", 2009: severity 1.0, on linear RGB. Prints what is too
close; fails if anything is.
"""
import itertools
import re
import sys

LEAST = 20
SIGHTS = {
	'normal': ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
	'protanopia': ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
	'deuteranopia': ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
	'tritanopia': ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# sRGB to XYZ, and the white of D65.
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)
TOGETHER = (
	# On a ring: its jobs, their waits, those that failed, and what is behind them.
	[f'process-{i}' for i in range(8)] + [f'wait-{kind}' for kind in ('other', 'own', 'blocked', 'nobody')] + ['failed', 'lane'],
	# In the strip of all time.
	['depth', 'lane', 'failed', 'match', 'hatch'],
)


def times(matrix, vector):
	return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def lab(colour, sight):
	"""L*, a* and b* of #rrggbb as it is seen."""
	rgb = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
	linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
	seen = [min(1, max(0, c)) for c in times(sight, linear)]
	x, y, z = ((t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116)
		   for t in (c / white for c, white in zip(times(XYZ, seen), WHITE)))
	return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def main():
	if len(sys.argv) != 2:
		sys.exit(__doc__)
	with open(sys.argv[1], encoding='utf-8') as file:
		style = re.search(r'<style>(.*?)</style>', file.read(), re.S).group(1)
	light, dark = (dict(re.findall(r'--([a-z0-9-]+): (#[0-9a-f]{6})\b', block))
		       for block in re.findall(r':root \{(.*?)\}', style, re.S))
	close, least, pairs = [], 1000, 0
	for scheme, colours in (('light', light), ('dark', dark)):
		for (name, matrix), names in itertools.product(SIGHTS.items(), TOGETHER):
			for a, b in itertools.combinations(names, 2):
				apart = sum((p - q) ** 2 for p, q in zip(lab(colours[a], matrix), lab(colours[b], matrix))) ** 0.5
				least, pairs = min(least, apart), pairs + 1
				if apart <= LEAST:
					close.append(f'{scheme}, {name}: {a} {colours[a]} and {b} {colours[b]} differ by {apart:.1f}')
	print('\n'.join(close + [f'{pairs} pairs, {len(close)} too close, the closest {least:.1f}']))
	sys.exit(bool(close))


main()
