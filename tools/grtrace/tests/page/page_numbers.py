# SPDX-License-Identifier: GPL-2.0
"""The name, the unit and the value of each number of a page."""
import csv
import os

from page import READY, ROWS_S, settle


def test_stages(page, folder):
	"""Each number by its name and unit, of a capture each of whose times is another."""
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'stages.html'))
	browser.wait("document.body.dataset.waits === 'ready'")
	settle(page)
	tap.same('the summary', page.text('#summary'),
		 'stages · Linux 7.3.4 · 2023-11-14 22:13:20 UTC · 2 jobs · nothing lost')
	tap.same('sums of rings', page.cells('#sums'), [
		['ring', 'jobs', 'failed', 'SUBMIT to START', 'START to END', 'busy', 'share'],
		['card0 gfx', '1', '0', '30.000 us', '17.000 us', '17.000 us', '0.0 %'],
		['card1 copy', '1', '1', '21.000 ms', '17.000 ms', '17.000 ms', '27.4 %']])
	tap.same('gaps', page.cells('#gaps')[:3], [
		['idle ring', 'at', 'for', 'job held up', 'by', 'ended by'],
		['card1 copy', '0.000001000 s', '21.999 ms', '21.000 ms', 'no job: scheduler, driver, host', '6:3'],
		['card0 gfx', '0.000001000 s', '39.000 us', '30.000 us', 'no job: scheduler, driver, host', '5:1']])
	tap.same('the failed job', page.text('#failed'), '6:3 failed on card1 copy, 0.039000000 s')
	tap.same('who delayed whom', page.cells('#delays'), [
		['jobs of … waited for', 'no job (scheduler, driver, host)', 'not known', 'all'],
		['browser 200', '21.000 ms', '', '21.000 ms'],
		['game 100', '27.000 us', '3.000 us', '30.000 us']])
	for key, facts, times, durations in (
			('5:1', [['ring', 'card0 gfx (render)'], ['submitted by', 'game 101 of 100'], ['label', 'ok']],
			 [['SUBMIT', '0.000010000 s', ''], ['BLOCKED', '0.000011000 s', '+1.000 us'], ['PICK', '0.000014000 s', '+3.000 us'],
			  ['COMMIT', '0.000020000 s', '+6.000 us'], ['START', '0.000040000 s', '+20.000 us'],
			  ['END', '0.000057000 s', '+17.000 us'], ['COMPLETE', '0.000080000 s', '+23.000 us']],
			 [['queue (SUBMIT to START)', '30.000 us'], ['blocked (BLOCKED to PICK)', '3.000 us'], ['Q2I (SUBMIT to PICK)', '4.000 us'],
			  ['I2D (PICK to COMMIT)', '6.000 us'], ['D2B (COMMIT to START)', '20.000 us'], ['B2E (START to END)', '17.000 us'],
			  ['E2C (END to COMPLETE)', '23.000 us'], ['Q2C (SUBMIT to COMPLETE)', '70.000 us'], ['waits of tasks: 1', '59.000 us']]),
			('6:3', [['ring', 'card1 copy (copy)'], ['submitted by', 'browser 200'], ['label', 'failed'], ['error', '-110']],
			 [['SUBMIT', '0.001000000 s', ''], ['BLOCKED', 'NA', ''], ['PICK', '0.005000000 s', '+4.000 ms'],
			  ['COMMIT', '0.011000000 s', '+6.000 ms'], ['START', '0.022000000 s', '+11.000 ms'],
			  ['END', '0.039000000 s', '+17.000 ms'], ['COMPLETE', '0.062000000 s', '+23.000 ms']],
			 [['queue (SUBMIT to START)', '21.000 ms'], ['Q2I (SUBMIT to PICK)', '4.000 ms'], ['I2D (PICK to COMMIT)', '6.000 ms'],
			  ['D2B (COMMIT to START)', '11.000 ms'], ['B2E (START to END)', '17.000 ms'], ['E2C (END to COMPLETE)', '23.000 ms'],
			  ['Q2C (SUBMIT to COMPLETE)', '61.000 ms']])):
		page.search(key)
		browser.key('Enter')
		page.leave_search()
		rows = page.cells('#details')
		tap.same(f'{key}: what is known of it', rows[:len(facts)], facts)
		tap.same(f'{key}: its times', [row[:3] for row in page.cells('#details .times')], times)
		first = next((i for i, row in enumerate(rows) if row[0].startswith('queue (')), 0)
		tap.same(f'{key}: its durations', rows[first:first + len(durations)], durations)
		browser.key('Escape')
	tap.same('the stages of the ring', browser.eval("""[...document.querySelectorAll('#stages .card')]
		.map((card) => [card.querySelector('h3').textContent, card.querySelector('select').value, card.querySelector('.dim').textContent])"""), [
		['card0 gfx', 'B2E', '1 jobs; min 17.000 us, avg 17.000 us, p50 17.000 us, p90 17.000 us, p99 17.000 us, max 17.000 us'],
		['card1 copy', 'B2E', '1 jobs; min 17.000 ms, avg 17.000 ms, p50 17.000 ms, p90 17.000 ms, p99 17.000 ms, max 17.000 ms']])
	page.quiet('stages.html')
	last = browser.eval('captures[0].key(captures[0].rows - 1)')
	browser.open('/dev/null')
	browser.call('Page.navigate', url=f"file://{os.path.abspath(os.path.join(folder, 'stages.html'))}#from=1000000&to=50000000&job={last}")
	browser.wait(READY, ROWS_S)
	browser.wait('timeline.selected', 5)
	tap.same('a link to the last job selects it', page.text('#job'), last)
	tap.same('and its time', [round(ns) for ns in page.interval()], [1000000, 50000000])


def test_ended(page, folder):
	"""Records that are missing, and who is to blame."""
	page.open(os.path.join(folder, 'ended.html'))
	settle(page)
	summary = page.text('#summary')
	page.tap.check('the summary says whose end is missing', summary.endswith(' · 1 jobs · the end of CPU 0 is missing'), summary)
	page.search('1:1')
	page.browser.key('Enter')
	page.leave_search()
	page.tap.same('a failed job names the task to blame', page.cells('#details')[3:5], [['error', '-62'], ['blamed', '<b>game:71']])
	page.browser.key('Escape')
	page.quiet('ended.html')


def test_spread(page, folder):
	browser, tap = page.browser, page.tap
	page.open(os.path.join(folder, 'spread.html'))
	settle(page)
	card = "document.querySelector('#stages .card')"
	tap.same('percentiles by their names', browser.eval(f"{card}.querySelector('.dim').textContent"),
		 '1,000 jobs; min 5.000 us, avg 15.775 us, p50 10.239 us, p90 20.479 us, p99 40.959 us, max 160.000 us')
	browser.eval(f"{card}.querySelector('canvas').scrollIntoView()")
	browser.frame()
	x, y, width, _ = page.corner('#stages .card canvas')
	told = []
	for i in range(40):
		browser.mouse('mouseMoved', x + width * (i + 0.5) / 40, y + 30)
		browser.frame()
		words = page.text('#tooltip')
		if words and not words.endswith(': 0') and words not in told:
			told.append(words)
	tap.same('the bounds of the histogram, and how many jobs are between', told, [
		'4 us to 8 us: 1', '8 us to 16 us: 549', '16 us to 32 us: 400', '32 us to 64 us: 45', '64 us to 128 us: 4',
		'128 us to 256 us: 1'])
	page.quiet('spread.html')


def test_sampled(page, folder):
	"""A row stands for four jobs, in the report and here."""
	browser, tap = page.browser, page.tap
	sums = """[...document.querySelectorAll('#sums tr')].slice(1)
		.map((line) => [...line.children].slice(0, 5).map((cell) => cell.textContent))"""
	with open(os.path.join(folder, 'sampled.csv'), encoding='utf-8') as file:
		right = sorted([row['name'], row['jobs'], row['failed']] for row in csv.DictReader(file))

	page.open(os.path.join(folder, 'sampled.html'))
	settle(page)
	shown = sorted(browser.eval(sums))
	tap.same('sampled: jobs are those of the report', [row[:3] for row in shown], right)
	tap.same('and their times', [row[3:] for row in shown],
		 [['8.000 us', '0 ns'], ['4.000 us', '12.000 us']])
	tap.same('and so is the depth', browser.eval("""captures[0].rings.map((ring) => {
		const [came, went] = ring.flow();
		return [1500, 4000].map((time) => came.jobs(came.until(time - 1000)) - went.jobs(went.until(time - 1000)));
	})"""), [[4, 4], [4, 4]])
	browser.eval('range.choose({from: 50000, to: 60000})')
	settle(page)
	tap.same('a job without an end is there until the end',
		 [row[:2] for row in sorted(browser.eval(sums))], [['card0 copy', '4'], ['card0 gfx', '0']])
	browser.key('Escape')
