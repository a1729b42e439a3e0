#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The page of grtrace report --html, used as a person would, in a browser.

Usage: page_test.py FOLDER [OUT]

FOLDER has the pages; OUT gets pictures of
what the browser shows. Prints TAP.
"""
import json
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # pylint: disable=wrong-import-position

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
	"""What a person sees and does."""

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


def test_small(page, folder):
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'two.html'))
	tap.check('the summary counts jobs', '2 jobs' in page.text('#summary'), page.text('#summary'))
	tap.check('and says that nothing was lost', 'nothing lost' in page.text('#summary'), page.text('#summary'))
	tap.check('the report ends as in the text', 'Coverage: drm_sched' in page.text('#closing'))
	place = page.place_of('5:1')
	tap.check('a job has its place', place)
	browser.mouse('mouseMoved', *place)
	browser.frame()
	tap.check('hovering tells what it is', '5:1' in (page.text('#tooltip') or ''), page.text('#tooltip'))
	browser.click(*place)
	tap.same('a click shows the job', page.text('#job'), '5:1')
	details = page.text('#details')
	tap.check('its submitter', 'glxgears 697 of 690' in details, details)
	tap.check('a time that was told', 'COMPLETE0.00006' in details, details)
	tap.check('an inferred start', 'inferred' in details, details)
	tap.check('how long it executed', 'B2E (START to END)54.000 us' in details, details)
	page.picture('clicked')
	browser.key(']')
	browser.key('[')
	tap.same('[ and ] go along the ring', page.text('#job'), '5:1')
	browser.key('Escape')
	tap.same('Escape closes it', page.text('#job'), None)
	page.quiet('two.html')


def test_moves(page, folder):
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'busy.html'))
	x, y, width, _ = page.corner('#timeline')
	x, y = x + width * 0.6, y + 80
	all_from, all_to = page.interval()
	page.picture('busy')

	browser.wheel(x, y, -400)
	near_from, near_to = page.interval()
	tap.check('the wheel zooms in', (near_to - near_from) < 0.6 * (all_to - all_from), (near_from, near_to))
	at = browser.eval(f"view.time({x} - document.getElementById('timeline').getBoundingClientRect().x)")
	browser.wheel(x, y, -400)
	after = browser.eval(f"view.time({x} - document.getElementById('timeline').getBoundingClientRect().x)")
	tap.check('at the pointer', abs(after - at) < (near_to - near_from) / 500, (at, after))

	before = page.interval()
	browser.drag(x, y, x - 150, y)
	moved = page.interval()
	tap.check('dragging moves', moved[0] > before[0], (before, moved))
	tap.check('and does not zoom', abs((moved[1] - moved[0]) - (before[1] - before[0])) < 1, (before, moved))
	tap.same('nor selects', page.text('#job'), None)
	browser.key('ArrowLeft')
	tap.check('so does an arrow key', page.interval()[0] < moved[0], page.interval())
	browser.key('+')
	tap.check('+ zooms in', page.interval()[1] - page.interval()[0] < moved[1] - moved[0], page.interval())
	browser.key('0')
	tap.same('0 shows all again', page.interval(), [all_from, all_to])
	for _ in range(40):
		browser.wheel(x, y, -300)
	tap.check('there is an end to zooming in', page.interval()[1] - page.interval()[0] >= 49, page.interval())
	browser.key('0')
	page.quiet('busy.html')


def test_search(page):
	browser, tap = page.browser, page.tap
	key = browser.eval('captures[0].key(captures[0].rows >> 1)')
	page.search(key)
	tap.same('a search for ctx:seqno finds one', page.text('#found'), '1 job')
	browser.key('Enter')
	tap.same('Enter goes to it', page.text('#job'), key)
	page.leave_search()
	page.search('failed')
	count = page.text('#found')
	tap.check('a search for a label finds some', count.endswith(' jobs') and count != '0 jobs', count)
	browser.key('Enter')
	first = page.text('#job')
	browser.key('Enter')
	tap.check('Enter goes on', page.text('#job') != first, first)
	tap.check('to failed jobs', 'failed' in page.text('#details'))
	browser.key('Enter', modifiers=8)
	tap.same('Shift+Enter goes back', page.text('#job'), first)
	page.picture('search')
	page.leave_search()
	tap.same('Escape ends the search', page.text('#found'), '')
	page.search('no such thing')
	tap.same('what is not there is not found', page.text('#found'), '0 jobs')
	page.leave_search()
	browser.key('Escape')


def test_links(page):
	browser, tap = page.browser, page.tap
	key = browser.eval("""(() => {
		for (const links of captures[0].linksOf.values())
			for (const link of links)
				if (link.kind === 'depends' && link.other >= 0)
					return captures[0].key(link.row);
	})()""")
	page.search(key)
	browser.key('Enter')
	page.leave_search()
	tap.check('a job tells what it depends on', 'Depends on' in page.text('#details'), page.text('#details'))
	page.picture('arrows')
	browser.eval("document.querySelector('#details .link').click()")
	browser.frame()
	tap.check('which is a link to that job', page.text('#job') != key, key)
	tap.check('that tells who depends on it', 'Jobs that depend on it' in page.text('#details'))
	tap.check('who delayed whom is there', 'waited for' in (page.text('#delays') or ''))
	browser.key('Escape')
	browser.key('0')


def test_range(page):
	browser, tap = page.browser, page.tap

	def jobs():
		return browser.eval("""[...document.querySelectorAll('#range tr td:nth-child(2)')]
			.reduce((sum, cell) => sum + Number(cell.textContent.replaceAll(',', '')), 0)""")

	browser.key('0')
	all_jobs = browser.eval('captures[0].rings.reduce((sum, ring) => sum + ring.end - ring.first, 0)')
	tap.check('all jobs are in the table of all time', browser.wait(f"""[...document.querySelectorAll('#range tr td:nth-child(2)')]
		.reduce((sum, cell) => sum + Number(cell.textContent.replaceAll(',', '')), 0) === {all_jobs}"""), jobs())
	tap.same('in a line for each ring', browser.eval("document.querySelectorAll('#range tr td:nth-child(2)').length"),
		 browser.eval('captures[0].rings.length'))
	for _ in range(4):
		browser.key('w')
	tap.check('the table follows the view', browser.wait(f"""[...document.querySelectorAll('#range tr td:nth-child(2)')]
		.reduce((sum, cell) => sum + Number(cell.textContent.replaceAll(',', '')), 0) < {all_jobs}"""), jobs())
	tap.same('with the jobs that are there', jobs(), browser.eval("""(() => {
		const {from, to, submit, rings} = captures[0];
		let jobs = 0;
		for (let row = 0; row < rings[rings.length - 1].end; row++)
			jobs += Math.min(from[row], submit[row] || Infinity) <= view.to && to[row] >= view.from;
		return jobs;
	})()"""))
	browser.key('0')
	browser.wait("document.querySelectorAll('#range li').length > 0")
	browser.eval("document.querySelector('#range li button').click()")
	tap.check('a failed job in view is a button that selects it', 'failed' in (page.text('#details') or ''), page.text('#details'))
	browser.key('Escape')


def test_losses(page, folder):
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'lossy.html'))
	tap.check('losses are told on top', 'records lost' in page.text('#summary'), page.text('#summary'))
	x, y, _, _ = page.corner('#timeline')
	at = browser.eval('view.x(captures[0].losses[0][0])')
	browser.mouse('mouseMoved', x + at + 1, y + 70)
	browser.frame()
	tap.check('and where they were', 'lost' in (page.text('#tooltip') or ''), page.text('#tooltip'))
	page.picture('loss')
	browser.scheme('dark')
	page.picture('dark')
	background = browser.eval('getComputedStyle(document.body).backgroundColor')
	tap.check('dark where that is wanted', background not in ('rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'), background)
	browser.scheme('light')
	page.quiet('lossy.html')


def test_findings(page, folder):
	browser, tap = page.browser, page.tap
	path = os.path.join(folder, 'hang.html')
	page.open(path)
	all_of_it = page.interval()
	tap.check('the finding is at the top', (page.text('#findings li') or '').startswith('A job hung '), page.text('#findings'))
	tap.same('a list with a name', browser.eval(
		"document.querySelector('#findings').getAttribute('aria-label')"), 'Why jobs were late')
	_, y, _, _ = page.corner('#findings')
	tap.check('before the rings', y < page.corner('#timeline')[1], y)
	x, y, width, height = page.corner('#findings a')
	browser.click(x + width / 2, y + height / 2)
	browser.wait('timeline.selected')
	tap.same('its link selects the job', page.text('#job'), '200:1')
	near = page.interval()
	tap.check('and its time', near[1] - near[0] < all_of_it[1] - all_of_it[0], (near, all_of_it))
	tap.check('which is that of the hang', browser.eval("""(() => {
		const {capture, row} = timeline.selected;
		return view.from <= capture.offset + capture.from[row] && capture.offset + capture.to[row] <= view.to;
	})()"""), near)
	page.picture('findings')
	for key, check in (('a', lambda old, new: new[0] < old[0]), ('d', lambda old, new: new[0] > old[0]),
			   ('w', lambda old, new: new[1] - new[0] < old[1] - old[0]),
			   ('s', lambda old, new: new[1] - new[0] > old[1] - old[0])):
		old = page.interval()
		browser.key(key)
		tap.check(f'{key} moves or zooms', check(old, page.interval()), (old, page.interval()))
	here = page.interval()
	tap.check('the address follows', browser.wait(f"location.hash.includes('from={round(here[0])}&to={round(here[1])}&job=200:1')"),
		  browser.eval('location.hash'))
	link = browser.eval('location.hash')
	page.quiet('hang.html')
	browser.open('/dev/null')
	browser.call('Page.navigate', url=f'file://{os.path.abspath(path)}{link}')
	tap.check('a link to a view opens it', browser.wait(READY, ROWS_S) and browser.wait('timeline.selected'))
	browser.frame()
	tap.same('its job', page.text('#job'), '200:1')
	tap.check('and its time', all(abs(one - two) < 2 for one, two in zip(page.interval(), here)), (page.interval(), here))
	browser.call('Page.navigate', url=f'file://{os.path.abspath(path)}#from=x&to=-&job=<b>')
	browser.frame()
	tap.same('one that says nothing is passed over', page.text('#job'), '200:1')
	browser.key('Tab')
	tap.check('links are reached by key', browser.eval(
		"[...document.querySelectorAll('#findings a')].every((link) => link.tabIndex >= 0)"))


def test_hostile(page, folder):
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'hostile.html'))
	tap.same('a hostile name runs nothing', browser.eval('window.pwned ?? null'), None)
	tap.same('and makes no element', browser.eval("document.querySelectorAll('img, b, svg').length"), 0)
	browser.click(*page.place_of('1:1'))
	tap.check('it is shown as it is', '<img' in page.text('#details'), page.text('#details'))
	page.quiet('hostile.html')
	page.open(os.path.join(folder, 'mad.html'))
	for turn in (-300, -300, -300, 300, 300):
		browser.wheel(700, 200, turn)
	page.quiet('mad.html')
	page.open(os.path.join(folder, 'both.html'))
	tap.check('two captures are on one page', page.browser.eval('captures.length') == 2)
	page.picture('both')
	page.quiet('both.html')


def test_size(page, folder):
	"""Numbers, which are printed: how fast it is depends on the machine."""
	browser, tap = page.browser, page.tap
	path = os.path.join(folder, 'big.html')
	begun = time.monotonic()
	browser.open(path)
	drawn = browser.wait(DRAWN, FIRST_PICTURE_S)
	first = time.monotonic() - begun
	rows = browser.wait(READY, ROWS_S)
	ready = time.monotonic() - begun
	jobs = browser.eval('captures[0].rows')
	size = os.path.getsize(path)
	print(f'# {jobs} jobs, {size / 1e6:.1f} MB: first picture after {first:.2f} s, jobs after {ready:.2f} s')
	tap.check('a big page draws', drawn, first)
	tap.check('and has its jobs', rows, ready)
	tap.check('a job costs few bytes', size < BYTES_PER_JOB * jobs, size / jobs)
	page.picture('big')

	x, y, width, _ = page.corner('#timeline')
	frames = []
	for _ in range(40):
		browser.eval("document.getElementById('timeline').dataset.ms = 'none'")
		browser.wheel(x + width * 0.6, y + 60, -150)
		frames.append(browser.eval("document.getElementById('timeline').dataset.ms"))
	tap.check('each turn of the wheel draws a frame', 'none' not in frames, frames)
	frames = sorted(float(ms) for ms in frames if ms != 'none') or [0.]
	print(f'# zooming in: median {frames[len(frames) // 2]:.1f} ms, longest {frames[-1]:.1f} ms a frame')
	page.picture('big-zoomed')
	page.quiet('big.html')


def main():
	if len(sys.argv) < 2:
		sys.exit(__doc__)
	folder, out = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
	tap = Tap()
	browser = Browser()
	try:
		page = Page(browser, tap, out)
		test_small(page, folder)
		test_moves(page, folder)
		test_search(page)
		test_links(page)
		test_range(page)
		test_losses(page, folder)
		test_findings(page, folder)
		test_hostile(page, folder)
		test_size(page, folder)
	finally:
		browser.close()
	print(f'1..{tap.number}')
	sys.exit(tap.failed > 0)


main()
