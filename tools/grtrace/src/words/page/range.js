// SPDX-License-Identifier: GPL-2.0
//
// The chosen time, or what is in view if none is: sums of each ring, jobs that failed, gaps
// that held jobs up, who delayed whom, and the findings. All follow it.

const mostFailed = 50, mostGaps = 10;

// It is still there at the end of the capture, unless the record of its end was lost.
function isEndless(capture, row) {
	return Number.isNaN(capture.out[row]) && !(capture.shape[row] & flagBits.touched);
}

function sumRing(ring, {from: begin, to: end}, failed) {
	const {capture} = ring;
	const {from, to, submit, shape, offset} = capture;
	const sums = {jobs: 0, failed: 0, waiting: 0, running: 0};
	const part = (a, b) => Math.max(0, Math.min(b + offset, end) - Math.max(a + offset, begin)) || 0;

	for (let row = ring.first; row < ring.end; row++) {
		const first = waits(capture, row) ? submit[row] : from[row];
		const last = isEndless(capture, row) ? Infinity : to[row];
		const weight = capture.weight(row);

		if (first + offset > end || last + offset < begin)
			continue;
		sums.jobs += weight;
		if (shape[row] & (1 << START)) {
			sums.waiting += weight * part(submit[row], from[row]);
			sums.running += weight * part(from[row], to[row]);
		}
		if (!(shape[row] & flagBits.failed))
			continue;
		sums.failed += weight;
		if (failed.length < mostFailed)
			failed.push({capture, row});
	}
	return sums;
}

// Returns how long any job executed; gap(from, to, the job that ended it).
function walkRing(ring, {from, to}, gap) {
	const {capture} = ring;
	// What was before the capture is no gap of it.
	const begin = Math.max(0, from - capture.offset), end = to - capture.offset;
	const lanes = ring.lanes.map((lane) => ({at: above(capture.to, begin, lane.first, lane.end), end: lane.end}));
	let busy = 0, until = begin;

	if (ring.endless < begin)
		return end - begin;
	for (;;) {
		let next = null;
		for (const lane of lanes)
			if (lane.at < lane.end && (!next || capture.from[lane.at] < capture.from[next.at]))
				next = lane;
		if (!next || capture.from[next.at] >= end)
			return busy;
		const row = next.at++;
		if (!(capture.shape[row] & (1 << START)))
			continue;
		if (capture.from[row] > until)
			gap(until, capture.from[row], row);
		const left = Number.isNaN(capture.out[row]) ? end : Math.min(end, capture.to[row]);
		busy += Math.max(0, left - Math.max(until, capture.from[row]));
		until = Math.max(until, left);
	}
}

// The gaps in which jobs were held up longest, the longest first.
function listGaps(ring, time, gaps) {
	const {capture} = ring;

	return walkRing(ring, time, (from, to, row) => {
		const held = to - Math.max(from, capture.submit[row]);
		const last = gaps[mostGaps - 1];
		if (!(held > 0) || held <= last?.held ||
			capture.losses.some(([begin, end]) => begin <= to && end >= from))
			return;
		gaps.push({ring, from, to, row, held});
		gaps.sort((a, b) => b.held - a.held).splice(mostGaps);
	});
}

// Returns the cause of most of a gap: the wait of the job that ended it.
function causeOf({ring, from, to, row}) {
	const sums = new Map();

	splitWait(ring, row, [from, to], (kind, begin, end, other, share) => {
		sums.set(`${kind} ${other}`, (sums.get(`${kind} ${other}`) ?? 0) + share * (end - begin));
	});
	const [[key]] = [...sums].sort((a, b) => b[1] - a[1]);
	const [kind, other] = key.split(' ').map(Number);
	return [waitWords[kind], other];
}

// Cells as those of capture.delays, of a ring; in slices.
function *splitDelays(ring, time, cells) {
	const {capture} = ring;
	const begin = time.from - capture.offset, end = time.to - capture.offset;
	const who = (row) => capture.processes[row < 0 ? 0 : processOf(capture, row)];

	for (let row = ring.first; row < ring.end; row++) {
		if (row % 64 === 63)
			yield;
		if (!waits(capture, row) || !(capture.shape[row] & (1 << START)) || Number.isNaN(capture.out[row]) ||
			capture.submit[row] >= end || capture.from[row] <= begin)
			continue;
		const weight = capture.weight(row);
		const [tgid, , comm] = who(row);
		const parts = new Map([['4 0', [4, 0, '', 0]]]); // nobody has all jobs
		splitWait(ring, row, [begin, end], (kind, a, b, other, share) => {
			const [by, , name] = who(other);
			const code = kind === NOBODY ? 4 : !by ? 2 : by === tgid ? 1 : 0;
			const key = code ? `${code} 0` : `0 ${by}`;
			parts.set(key, [code, code ? 0 : by, code ? '' : name, (parts.get(key)?.[3] ?? 0) + share * (b - a)]);
		});
		for (const [key, [code, by, name, ns]] of parts) {
			const cell = cells.get(`${ring.id} ${tgid} ${key}`) ?? [ring.id, code, tgid, comm, by, name, 0, 0, 0];
			cell[6] += ns * weight;
			cell[7] += weight;
			cells.set(`${ring.id} ${tgid} ${key}`, cell);
		}
	}
}

function jobButton(capture, row) {
	const button = makeLink(capture.key(row), () => page.show({capture, row}));

	button.title = 'Select this job';
	return button;
}

function titleOf({capture, title}) {
	return captures.length > 1 ? `${capture.name}: ${title}` : title;
}

function fillTable(id, names, lines) {
	const top = make('tr');

	top.append(...names.map((name, i) => make('th', name, lines[0]?.[i]?.style ? 'number' : '')));
	top.querySelectorAll('th').forEach((cell) => { cell.scope = 'col'; });
	element(id).replaceChildren(top, ...lines.map((cells) => {
		const line = makeRow(...cells.map((cell) => cell?.words ?? cell));
		line.firstChild.scope = 'row';
		cells.forEach((cell, i) => { line.children[i].className = cell?.style ?? ''; });
		return line;
	}));
}

const number = (words, style = '') => ({words, style: `number ${style}`});

const range = {
	chosen: null, // {from, to} of the page's time
	findings: [],
	matrices: [],
	timer: 0,
	slices: null, // of the work that remains

	now() {
		return this.chosen ?? {from: view.from, to: view.to};
	},

	choose(chosen) {
		const air = view.air;

		this.chosen = chosen && {
			from: Math.max(view.min - air, Math.min(chosen.from, chosen.to)),
			to: Math.min(view.max + air, Math.max(chosen.from, chosen.to)),
		};
		element('choose').setAttribute('aria-pressed', String(Boolean(this.chosen)));
		address.note();
		this.note();
		page.draw();
	},

	// Moves the right edge.
	stretch(part) {
		const middle = (view.from + view.to) / 2;
		const {from, to} = this.chosen ?? {from: middle, to: middle};

		this.choose({from, to: Math.max(from + view.nsPerPixel(), to + part * (view.to - view.from))});
	},

	// Soon: a drag changes the view with each frame.
	note() {
		clearTimeout(this.timer);
		element('range').setAttribute('aria-busy', 'true');
		this.timer = setTimeout(() => this.begin(), 200);
	},

	begin() {
		if (document.body.dataset.rows !== 'ready')
			return;
		this.slices = this.fill(this.now());
		this.go();
	},

	go() {
		const until = performance.now() + 15;

		clearTimeout(this.timer);
		while (performance.now() < until)
			if (this.slices.next().done) {
				element('range').setAttribute('aria-busy', 'false');
				return;
			}
		this.timer = setTimeout(() => this.go());
	},

	*fill(time) {
		const rings = captures.flatMap((capture) => capture.rings);
		const failed = [], gaps = [], lines = [];

		this.fillFindings(time);
		for (const ring of rings) {
			const sums = sumRing(ring, time, failed);
			yield;
			const busy = this.busy(ring, time, listGaps(ring, time, gaps));
			const length = Math.min(time.to, ring.capture.offset + ring.capture.length) - Math.max(time.from, ring.capture.offset);
			lines.push([titleOf(ring), number(thousands(sums.jobs)),
				number(thousands(sums.failed), sums.failed ? 'failed' : ''), number(duration(sums.waiting)),
				number(duration(sums.running)), number(duration(busy)),
				number(busy >= 0 ? `${(100 * busy / Math.max(1, length)).toFixed(1)} %` : '')]);
			yield;
		}
		fillTable('sums', ['ring', 'jobs', 'failed', 'SUBMIT to START', 'START to END', 'busy', 'share'], lines);
		element('failed').replaceChildren(...failed.map((job) => this.item(job)));
		fillTable('gaps', ['idle ring', 'at', 'for', 'job held up', 'by', 'ended by'], gaps.map((gap) => this.gap(gap)));
		element('failed-part').hidden = !failed.length;
		element('gaps-part').hidden = !gaps.length;
		element('range').hidden = !lines.length;
		yield *this.fillDelays(time);
	},

	// For the whole capture it is the report's; where records were lost it is not known.
	busy(ring, time, busy) {
		const {capture} = ring;
		const from = time.from - capture.offset, to = time.to - capture.offset;

		if (ring.busy_ns === null || (from <= 0 && to >= capture.length))
			return ring.busy_ns ?? NaN;
		return capture.losses.some(([begin, end]) => begin <= to && end >= from) ? NaN : busy;
	},

	// The whole capture's are those of the report, which knows each job.
	*fillDelays(time) {
		for (const matrix of this.matrices) {
			const {capture} = matrix, cells = new Map();
			const all = time.from <= view.min && time.to >= view.max;
			for (const ring of all ? [] : capture.rings)
				yield *splitDelays(ring, time, cells);
			matrix.cells = all ? capture.delays : [...cells.values()];
			matrix.fill();
		}
	},

	fillFindings(time) {
		const words = this.chosen ? 'In the chosen time' : 'In view';
		let elsewhere = 0;

		element('range-title').textContent = words;
		// They stay where they are, as links that lead there.
		for (const {item, from, to} of this.findings)
			elsewhere += item.classList.toggle('elsewhere', from > time.to || to < time.from);
		element('findings-elsewhere').textContent = elsewhere ? `${elsewhere} at other times, grey` : '';
	},

	item({capture, row}) {
		const item = make('li');

		item.append(jobButton(capture, row), ` failed on ${capture.ringOf(row).title}, ${moment(capture, capture.to[row])}`);
		return item;
	},

	gap(gap) {
		const {ring, from, to, row, held} = gap, {capture} = ring;
		const [words, other] = causeOf(gap);
		const by = make('span', words);

		if (other >= 0)
			by.append(', ', jobButton(capture, other));
		return [titleOf(ring), makeLink(moment(capture, from), () => {
			const air = (to - from) / 2;
			view.show(capture.offset + from - air, capture.offset + to + air);
		}), number(duration(to - from)), number(duration(held)), by, jobButton(capture, row)];
	},
};

// The chosen time on the canvas.
function drawChosen(pen, height) {
	if (!range.chosen)
		return;
	const x = Math.max(gutter, view.x(range.chosen.from));
	const right = Math.min(gutter + view.width, view.x(range.chosen.to));

	if (right < gutter || x > gutter + view.width)
		return;
	pen.fillStyle = paint.focus;
	pen.globalAlpha = 0.12;
	pen.fillRect(x, 0, right - x, height);
	pen.globalAlpha = 1;
	pen.fillRect(x, 0, right - x, 3);
	pen.fillRect(x, 0, 1, height);
	pen.fillRect(right - 1, 0, 1, height);
}
