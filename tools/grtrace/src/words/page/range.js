// SPDX-License-Identifier: GPL-2.0
//
// What is in view: sums of each ring, and the jobs that failed. They follow the view.

const mostFailed = 50;

// How much of a stretch is in view, in ns; 0 if one of its ends is not known.
function seen(capture, from, to) {
	const part = Math.min(to + capture.offset, view.to) - Math.max(from + capture.offset, view.from);

	return part > 0 ? part : 0;
}

function sumRing(ring, failed) {
	const {capture} = ring;
	const {from, to, submit, shape} = capture;
	const sums = {jobs: 0, failed: 0, waiting: 0, running: 0};

	for (let row = ring.first; row < ring.end; row++) {
		const begun = shape[row] & (1 << START);
		const first = submit[row] < from[row] ? submit[row] : from[row];

		if (first + capture.offset > view.to || to[row] + capture.offset < view.from)
			continue;
		sums.jobs++;
		if (begun) {
			sums.waiting += seen(capture, submit[row], from[row]);
			sums.running += seen(capture, from[row], to[row]);
		}
		if (!(shape[row] & flagBits.failed))
			continue;
		sums.failed++;
		if (failed.length < mostFailed)
			failed.push({capture, row});
	}
	return sums;
}

const rangeTable = {
	timer: 0,

	// Soon: a drag changes the view with each frame.
	note() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.fill(), 200);
	},

	fill() {
		const section = document.getElementById('range');
		const top = make('tr'), failed = [];

		if (document.body.dataset.rows !== 'ready')
			return;
		top.append(...['ring', 'jobs', 'failed', 'SUBMIT to START', 'START to END'].map((name) => make('th', name)));
		const lines = captures.flatMap((capture) => capture.rings.map((ring) => this.line(capture, ring, failed)));
		section.querySelector('table').replaceChildren(top, ...lines);
		section.querySelector('ul').replaceChildren(...failed.map((job) => this.item(job)));
		section.hidden = !lines.length;
	},

	line(capture, ring, failed) {
		const line = make('tr');
		const sums = sumRing(ring, failed);
		const title = captures.length > 1 ? `${capture.name}: ${ring.title}` : ring.title;

		line.append(make('th', title), make('td', thousands(sums.jobs), 'number'),
			make('td', thousands(sums.failed), sums.failed ? 'number failed' : 'number'),
			make('td', duration(sums.waiting), 'number'), make('td', duration(sums.running), 'number'));
		return line;
	},

	item({capture, row}) {
		const item = make('li');
		const button = make('button', capture.key(row));

		button.type = 'button';
		button.addEventListener('click', () => {
			page.select({capture, row});
			timeline.reveal(capture.ringOf(row));
			page.draw();
		});
		item.append(button, ` failed on ${capture.ringOf(row).title}, ${moment(capture, capture.to[row])}`);
		return item;
	},
};
