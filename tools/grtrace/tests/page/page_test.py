#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The page of grtrace report --html, used as a person would, in a browser.

Usage: page_test.py FOLDER [OUT]

FOLDER has the pages; OUT gets pictures of
what the browser shows. Prints TAP.
"""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
from browser import Browser
from page import BYTES_PER_JOB, DRAWN, FIRST_PICTURE_S, READY, ROWS_S, Page, Tap, settle
from page_numbers import test_ended, test_sampled, test_spread, test_stages


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
	keys = browser.eval("""[...Array(captures[0].rows).keys()].filter((row) => captures[0].shape[row] & flagBits.failed)
		.sort((a, b) => captures[0].from[a] - captures[0].from[b] || a - b).map((row) => captures[0].key(row))""")
	page.leave_search()
	browser.key('Escape')
	page.search('failed')
	browser.key('Enter')
	tap.same('the first match is the earliest', page.text('#job'), keys[0])
	browser.key('Enter', modifiers=8)
	tap.same('before the first comes the last', page.text('#job'), keys[-1])
	browser.key('Enter', modifiers=8)
	tap.same('and before that the last but one', page.text('#job'), keys[-2])
	browser.key('Enter')
	browser.key('Enter')
	tap.same('behind the last comes the first', page.text('#job'), keys[0])
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
		return browser.eval("""[...document.querySelectorAll('#sums td:nth-child(2)')]
			.reduce((sum, cell) => sum + Number(cell.textContent.replaceAll(',', '')), 0)""")

	browser.key('0')
	all_jobs = browser.eval('captures[0].rings.reduce((sum, ring) => sum + ring.end - ring.first, 0)')
	tap.check('all jobs are in the table of all time', browser.wait(f"""[...document.querySelectorAll('#sums td:nth-child(2)')]
		.reduce((sum, cell) => sum + Number(cell.textContent.replaceAll(',', '')), 0) === {all_jobs}"""), jobs())
	tap.same('in a line for each ring', browser.eval("document.querySelectorAll('#sums td:nth-child(2)').length"),
		 browser.eval('captures[0].rings.length'))
	for _ in range(4):
		browser.key('w')
	tap.check('the table follows the view', browser.wait(f"""[...document.querySelectorAll('#sums td:nth-child(2)')]
		.reduce((sum, cell) => sum + Number(cell.textContent.replaceAll(',', '')), 0) < {all_jobs}"""), jobs())
	tap.same('with the jobs that are there', jobs(), browser.eval("""(() => {
		const {from, to, submit, rings} = captures[0];
		let jobs = 0;
		for (let row = 0; row < rings[rings.length - 1].end; row++)
			jobs += Math.min(from[row], submit[row] || Infinity) <= view.to && to[row] >= view.from;
		return jobs;
	})()"""))
	browser.key('0')
	browser.wait("document.querySelectorAll('#failed li').length > 0")
	browser.eval("document.querySelector('#failed li button').click()")
	tap.check('a failed job in view is a button that selects it', 'failed' in (page.text('#details') or ''), page.text('#details'))
	browser.key('Escape')


def test_chosen(page, folder):
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'busy.html'))
	settle(page)
	x, y, width, _ = page.corner('#timeline')
	chosen = 'range.chosen && [range.chosen.from, range.chosen.to]'
	sums = "[...document.querySelectorAll('#sums td')].map((cell) => cell.textContent).join()"
	blame = "document.querySelector('#delays table').textContent"
	before = [browser.eval(sums), browser.eval(blame)]
	view = page.interval()

	browser.mouse('mouseMoved', x + 500, y + 8)
	browser.drag(x + 500, y + 8, x + 700, y + 8)
	got = browser.eval(chosen)
	tap.check('a drag along the axis chooses a time', got and abs(got[0] - browser.eval('view.time(500)')) < 1 and
		  abs(got[1] - browser.eval('view.time(700)')) < 1, got)
	tap.same('and moves nothing', page.interval(), view)
	settle(page)
	after = [browser.eval(sums), browser.eval(blame)]
	tap.check('sums and who delayed whom follow', before[0] != after[0] and before[1] != after[1], after)
	tap.same('with the jobs of that time', browser.eval("""[...document.querySelectorAll('#sums td:nth-child(2)')]
		.reduce((sum, cell) => sum + Number(cell.textContent.replaceAll(',', '')), 0)"""), browser.eval("""(() => {
		const {from, to, submit, rows} = captures[0];
		let jobs = 0;
		for (let row = 0; row < rows; row++)
			jobs += Math.min(from[row], submit[row] || Infinity) <= range.chosen.to && to[row] >= range.chosen.from;
		return jobs;
	})()"""))
	tap.same('the heading says so', page.text('#range-title'), 'In the chosen time')
	page.picture('chosen')
	browser.key('+')
	settle(page)
	tap.same('zooming leaves the tables alone', browser.eval(sums), after[0])
	tap.check('the address keeps it', browser.wait(f"location.hash.includes('range={round(got[0])}~{round(got[1])}')"),
		  browser.eval('location.hash'))
	link = browser.eval('location.hash')
	browser.open('/dev/null')
	browser.call('Page.navigate', url=f"file://{os.path.abspath(os.path.join(folder, 'busy.html'))}{link}")
	browser.wait(READY, ROWS_S)
	browser.frame()
	settle(page)
	tap.check('and a link leads to it', all(abs(a - b) < 2 for a, b in zip(browser.eval(chosen) or [0, 0], got)),
		  (browser.eval(chosen), got))
	browser.key('ArrowRight', modifiers=8)
	tap.check('Shift and an arrow move its end', browser.eval(chosen)[1] > got[1] + 1, browser.eval(chosen))
	browser.key('Escape')
	tap.same('Escape ends it', browser.eval(chosen), None)
	browser.key('0')
	settle(page)
	tap.same('then the tables are those of all time', [browser.eval(sums), browser.eval(blame)], before)
	browser.key('r')
	tap.check('r chooses what is in view', all(abs(a - b) < 1 for a, b in zip(browser.eval(chosen), page.interval())),
		  browser.eval(chosen))
	tap.same('which its button tells', browser.eval("document.getElementById('choose').ariaPressed"), 'true')
	browser.eval("document.getElementById('choose').click()")
	tap.same('and ends', browser.eval(chosen), None)
	browser.mouse('mouseMoved', x + 400, y + 100)
	browser.mouse('mousePressed', x + 400, y + 100, button='left', buttons=1, modifiers=8)
	browser.mouse('mouseMoved', x + 600, y + 100, button='left', buttons=1, modifiers=8)
	browser.mouse('mouseReleased', x + 600, y + 100, button='left', modifiers=8)
	tap.check('so does a drag with Shift', browser.eval(chosen), None)
	browser.key('Escape')
	tap.same('nothing on the console', browser.said, [])


# The page computes what the report computed.
SAME_AS_REPORT = """(() => {
	const wrong = [], all = {from: view.min, to: view.max}, middle = (view.min + view.max) / 3;
	const split = (ring, time) => {
		const cells = new Map();
		for (const _ of splitDelays(ring, time, cells));
		return new Map([...cells.values()].map((cell) => [[cell[0], cell[1], cell[2], cell[4]].join(), cell]));
	};
	for (const capture of captures)
		for (const ring of capture.rings) {
			const mine = split(ring, all);
			const parts = [split(ring, {from: view.min, to: middle}), split(ring, {from: middle, to: view.max})];
			const busy = [[view.min, view.max], [view.min, middle], [middle, view.max]]
				.map(([from, to]) => walkRing(ring, {from, to}, () => {}));
			if (ring.busy_ns !== null && (busy[0] !== ring.busy_ns || Math.abs(busy[1] + busy[2] - busy[0]) > 1))
				wrong.push(['busy', ring.title, ring.busy_ns, ...busy]);
			for (const cell of capture.delays.filter((one) => one[0] === ring.id)) {
				const key = [cell[0], cell[1], cell[2], cell[4]].join();
				// Processes that execute at once share a moment: a ns of rounding for each job.
				const most = Math.max(1, cell[7]);
				const halves = parts.reduce((sum, part) => sum + (part.get(key)?.[6] ?? 0), 0);
				if (Math.abs((mine.get(key)?.[6] ?? 0) - cell[6]) > most || mine.get(key)?.[7] !== cell[7] ||
					Math.abs(halves - cell[6]) > most)
					wrong.push([...cell, mine.get(key), halves]);
			}
		}
	return wrong;
})()"""


# The colour of a pixel of the timeline.
COLOUR = """((x, y) => {
	const pixel = timeline.canvas.getContext('2d').getImageData(Math.floor(x * devicePixelRatio), Math.floor(y * devicePixelRatio), 1, 1).data;
	return '#' + [...pixel.slice(0, 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
})"""


def test_waits(page, folder):
	browser, tap = page.browser, page.tap
	for name in ('two', 'busy', 'lanes', 'hang', 'demo'):
		page.open(os.path.join(folder, f'{name}.html'))
		browser.wait("document.body.dataset.waits === 'ready'")
		tap.same(f'{name}.html: busy times and delays are those of the report, and add up', browser.eval(SAME_AS_REPORT), [])
	tap.same('each ring is drawn at first view', browser.eval(f"""(() => {{
		const empty = [];
		for (const ring of captures[0].rings) {{
			const seen = new Set();
			for (let x = gutter; x < gutter + view.width; x++)
				for (const y of [bandHeight - 3, bandHeight + waitHeight - 2])
					seen.add({COLOUR}(x, ring.y + y));
			if (seen.size < 3)
				empty.push(ring.title);
		}}
		return empty;
	}})()"""), [])
	tap.same('rings stand by their GPU', browser.eval("""(() => {
		const devices = [...captures[0].rings].sort((a, b) => a.y - b.y).map((ring) => ring.dev);
		return [devices.filter((dev, i) => dev !== devices[i - 1]).length,
			timeline.lines.filter((line) => line.heading).length];
	})()"""), browser.eval("[1, 1].map(() => new Set(captures[0].rings.map(({dev}) => dev)).size)"))
	page.picture('demo')
	page.open(os.path.join(folder, 'two.html'))
	browser.wait("document.body.dataset.waits === 'ready'")
	browser.frame()
	for words, kind, time in (('a dependency', 'BLOCKED_BY', 'captures[0].linksOf.get(0).find((link) => link.kind === "blocked").from + 300'),
				  ('its own process', 'OWN', 'captures[0].from[1] - 5000')):
		tap.check(f'a wait for {words} has its colour', browser.eval(f"""(() => {{
			const row = captures[0].rings[0], x = view.x({time});
			return [1, 5, 9].some((y) => {COLOUR}(x, row.y + bandHeight + 2 + y) === paint.waits[{kind}]);
		}})()"""))
	x, y, _, _ = page.corner('#timeline')
	at = browser.eval('[view.x(captures[0].from[1] - 5000), captures[0].rings[0].y + bandHeight + 3]')
	browser.mouse('mouseMoved', x + at[0], y + at[1])
	browser.frame()
	tap.check('and says for what', '5:2 waits' in page.text('#tooltip') and "own process's job ran, 5:1" in page.text('#tooltip'),
		  page.text('#tooltip'))
	tap.same('a task that waited has a row', browser.eval('captures[0].waiters.map(({task}) => captures[0].taskName(task))'),
		 ['glxgears 697 of 690'])
	at = browser.eval('[view.x(captures[0].waiters[0].links[0].from) + 5, captures[0].waiters[0].y + 8]')
	browser.click(x + at[0], y + at[1])
	tap.same('that leads to the job', page.text('#job'), '5:1')
	browser.key('Escape')
	page.open(os.path.join(folder, 'busy.html'))
	missing = []
	for _ in range(9):
		missing += browser.eval(f"""(() => {{
			const wrong = [], [capture] = captures, last = new Map();
			for (let row = 0; row < capture.rows; row++) {{
				const x = Math.floor(view.x(capture.to[row])), ring = capture.ringOf(row);
				if (!(capture.shape[row] & flagBits.failed) || x < gutter + 8 || x > gutter + view.width - 8)
					continue;
				let seen = false;
				for (let at = x - 9; at < x + 9; at++)
					for (let y = -3; y < 10; y++)
						seen ||= {COLOUR}(at, ring.y + y) === paint.failed;
				if (!seen)
					wrong.push([capture.key(row), view.to - view.from]);
			}}
			return wrong;
		}})()""")
		browser.eval("view.zoom(1 / 2, captures[0].to[captures[0].shape.findIndex((bits) => bits & flagBits.failed)])")
		browser.frame()
	tap.same('failed jobs are seen at each zoom', missing, [])
	page.open(os.path.join(folder, 'hang.html'))
	settle(page)
	gap = page.text('#gaps tr:nth-child(2)')
	tap.check('the longest gap, why, and what ended it', 'card0 render0' in gap and 'a dependency, 210:1' in gap and gap.endswith('211:1'), gap)
	browser.eval('range.choose({from: view.min, to: captures[0].from[captures[0].shape.findIndex((bits) => bits & flagBits.failed)] - 1e6})')
	settle(page)
	tap.same('findings of other times are grey', browser.eval("""[getComputedStyle(document.querySelector('#findings li')).color,
		document.getElementById('findings-elsewhere').textContent]"""), browser.eval(
		"[getComputedStyle(document.getElementById('notes')).color, '1 at other times, grey']"))
	tap.same('nor failed jobs', browser.eval("document.querySelectorAll('#failed li').length"), 0)
	tap.check('nor gaps', '211:1' not in page.text('#gaps'), page.text('#gaps'))
	page.quiet('hang.html')


def test_widths(page, folder):
	browser, tap = page.browser, page.tap
	for width in (390, 1280, 1920):
		browser.size(width, 900)
		for name in ('demo', 'hostile', 'lossy'):
			page.open(os.path.join(folder, f'{name}.html'))
			settle(page)
			for state in ('as it opens', 'with a job'):
				tap.check(f'{name}.html: nothing beside {width} pixels, {state}', browser.eval(
					'document.documentElement.scrollWidth <= innerWidth'), browser.eval('document.documentElement.scrollWidth'))
				browser.eval('page.select({capture: captures[0], row: 0})')
				browser.frame()
		browser.key('Escape')
		tap.check(f'the timeline has room at {width} pixels', browser.eval('view.width > 0.6 * timeline.stage.clientWidth'),
			  browser.eval('view.width'))
		page.picture(f'wide-{width}')
	browser.size(1280, 900)


def test_accessible(page, folder):
	"""The tree that Chromium gives to a screen reader."""
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'demo.html'))
	settle(page)
	browser.eval('page.select({capture: captures[0], row: 0})')
	browser.frame()
	nodes = [(node['role']['value'], node.get('name', {}).get('value', ''))
		 for node in browser.call('Accessibility.getFullAXTree')['nodes'] if not node.get('ignored') and 'role' in node]
	for role, name in (
			('search', ''), ('searchbox', 'Search jobs: comm, pid, ctx:seqno, label or ring'), ('button', 'Previous match'),
			('button', 'Next match'), ('button', 'Zoom in'), ('button', 'Zoom out'), ('button', 'Fit'), ('button', 'Choose'),
			('button', 'Keys'), ('button', 'Close'), ('region', 'Why jobs were late'), ('application', 'Timeline of the rings'),
			('image', 'All of the time, with the part in view'), ('complementary', 'Selected job'), ('region', 'In view'),
			('table', 'Sums of each ring'), ('table', 'Idle gaps'), ('list', 'Failed jobs'), ('columnheader', 'failed'),
			('rowheader', '0000:00:06.0 control'), ('region', 'Who delayed whom'), ('region', 'Stages by ring'),
			('combobox', 'Ring'), ('region', 'Sources and completeness')):
		same = {'image': ('image', 'img'), 'table': ('table', 'LayoutTable')}.get(role, (role,))
		tap.check(f'{role} "{name}"', any((one, name) in nodes for one in same), [node for node in nodes if node[0] == role][:20])
	silent = [node for node in nodes if node[0] in ('button', 'link', 'combobox', 'searchbox', 'image', 'img', 'application', 'region',
			'dialog') and not any(letter.isalnum() for letter in node[1])]
	tap.same('all that can be used has a name', silent, [])
	wanted = {'search', 'fit', 'choose', 'keys', 'timeline'}
	browser.eval('document.activeElement.blur()')
	for _ in range(60):
		browser.key('Tab')
		wanted.discard(browser.eval('document.activeElement.id'))
	tap.same('Tab reaches all', sorted(wanted), [])
	browser.eval("document.getElementById('help').showModal()")
	nodes = [(node['role']['value'], node.get('name', {}).get('value', ''))
		 for node in browser.call('Accessibility.getFullAXTree')['nodes'] if not node.get('ignored') and 'role' in node]
	tap.check('the keys are a dialog with a name', ('dialog', 'Keys') in nodes, [node for node in nodes if node[0] == 'dialog'])
	browser.key('Escape')
	page.quiet('demo.html')


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
		test_stages(page, folder)
		test_spread(page, folder)
		test_ended(page, folder)
		test_moves(page, folder)
		test_search(page)
		test_links(page)
		test_range(page)
		test_chosen(page, folder)
		test_sampled(page, folder)
		test_waits(page, folder)
		test_widths(page, folder)
		test_accessible(page, folder)
		test_losses(page, folder)
		test_findings(page, folder)
		test_hostile(page, folder)
		test_size(page, folder)
	finally:
		browser.close()
	print(f'1..{tap.number}')
	sys.exit(tap.failed > 0)


main()
