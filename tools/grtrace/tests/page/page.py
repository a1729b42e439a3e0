# SPDX-License-Identifier: GPL-2.0
"""A page of grtrace report --html in a browser, and what a person sees and does."""
import json
import os

READY = "document.body?.dataset.rows === 'ready'"
DRAWN = "document.getElementById('timeline')?.dataset.ms"

# Generous: a machine may have other things to do.
FIRST_PICTURE_S, ROWS_S, BYTES_PER_JOB = 60, 400, 64


class Tap:
	"""One line for each check."""

	def __init__(self):
		self.number = 0
		self.failed = 0

	def check(self, name, passed, about=''):
		self.number += 1
		print(f"{'ok' if passed else 'not ok'} {self.number} - {name}", flush=True)
		if not passed:
			self.failed += 1
			print(f'# {about}', flush=True)

	def same(self, name, got, wanted):
		self.check(name, got == wanted, f'{got!r} is not {wanted!r}')


class Page:
	"""The page as a person sees and uses it."""

	def __init__(self, browser, tap, out):
		self.browser = browser
		self.tap = tap
		self.out = out

	def open(self, path):
		self.browser.open(path)
		self.tap.check(f'{os.path.basename(path)} opens', self.browser.wait(READY, ROWS_S))
		self.browser.frame()

	def quiet(self, name):
		self.tap.same(f'{name}: nothing on the console', self.browser.said, [])
		self.tap.check(f'{name}: no request but for the file itself', all(
			one.startswith('file://') or one.startswith('data:') for one in self.browser.asked) and
			sum(one.startswith('file://') for one in self.browser.asked) == 1, self.browser.asked)

	def interval(self):
		about = "document.getElementById('interval').dataset"
		return self.browser.eval(f'[Number({about}.from), Number({about}.to)]')

	def text(self, selector):
		return self.browser.eval(f'document.querySelector({json.dumps(selector)})?.textContent ?? null')

	def cells(self, selector):
		"""The texts of a table's cells, line by line."""
		return self.browser.eval(f"""[...document.querySelectorAll({json.dumps(selector)} + ' tr')]
			.map((line) => [...line.children].map((cell) => cell.textContent))""")

	def corner(self, selector):
		"""x, y, width and height of what is seen of an element."""
		return self.browser.eval(f"""(() => {{
			const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
			return [box.x, box.y, box.width, box.height];
		}})()""")

	def place_of(self, key):
		"""Where on the screen the middle of a job is."""
		x, y, _, _ = self.corner('#timeline')
		at = self.browser.eval(f"""(() => {{
			for (const capture of captures)
				for (let row = 0; row < capture.rows; row++)
					if (capture.key(row) === {json.dumps(key)})
						return [view.x(capture.offset + (capture.from[row] + capture.to[row]) / 2),
							timeline.middleOf(capture, row) - timeline.stage.scrollTop];
			return null;
		}})()""")
		return at and (x + at[0], y + at[1])

	def search(self, words):
		self.browser.key('/')
		self.browser.eval("document.getElementById('search').value = ''")
		self.browser.call('Input.insertText', text=words)
		self.browser.frame()

	def leave_search(self):
		self.browser.key('Escape')

	def picture(self, name):
		if self.out:
			self.browser.picture(os.path.join(self.out, f'{name}.png'))


SETTLED = "document.getElementById('range')?.getAttribute('aria-busy') === 'false'"


def settle(page):
	"""Until the tables are those of the time that was chosen."""
	page.browser.eval('new Promise((done) => setTimeout(done, 20))')
	page.browser.wait(SETTLED)
