// SPDX-License-Identifier: GPL-2.0
//
// The page: what the user does, and who is told of it.

const element = (id) => document.getElementById(id);

const page = {
	pending: false,

	// At most once a frame.
	draw() {
		if (this.pending)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			const begun = performance.now();
			this.pending = false;
			const {clientWidth} = timeline.stage;
			gutter = clientWidth < 640 ? 104 : 206;
			view.width = Math.max(50, Math.floor(clientWidth - gutter));
			timeline.draw();
			overview.draw();
			this.writeInterval();
			timeline.canvas.dataset.ms = (performance.now() - begun).toFixed(1);
		});
	},

	writeInterval() {
		const [capture] = captures;
		const output = element('interval');
		const from = moment(capture, view.from - capture.offset);

		output.textContent = `${from} + ${duration(view.to - view.from)}` + (range.chosen ?
			`; chosen ${moment(capture, range.chosen.from - capture.offset)} + ${duration(range.chosen.to - range.chosen.from)}` : '');
		output.dataset.from = view.from;
		output.dataset.to = view.to;
	},

	select(job) {
		timeline.selected = job;
		if (job)
			details.show(job.capture, job.row);
		else
			details.hide();
		address.note();
		this.draw();
	},

	// Selects a job and leaves the time in view.
	show(job) {
		this.select(job);
		timeline.reveal(job.capture.ringOf(job.row));
	},

	// Selects a job and makes sure that it is seen.
	goTo(job) {
		const {capture, row} = job;
		const from = capture.offset + capture.from[row];
		const to = capture.offset + capture.to[row];
		const length = view.to - view.from;

		this.show(job);
		if (to - from > length || (to - from) * 500 < length)
			view.show(from - 4 * (to - from) - 500, to + 4 * (to - from) + 500);
		else if (from < view.from || to > view.to)
			view.show((from + to - length) / 2, (from + to + length) / 2);
	},

	zoomToSelected() {
		if (!timeline.selected)
			return;
		const {capture, row} = timeline.selected;
		const from = capture.offset + capture.from[row];
		const air = Math.max(100, (capture.to[row] - capture.from[row]) / 2);
		view.show(from - air, capture.offset + capture.to[row] + air);
	},

	neighbour(direction) {
		if (!timeline.selected)
			return;
		const {capture, row} = timeline.selected;
		const lane = capture.ringOf(row).lanes[capture.laneOf(row)];
		const next = row + direction;
		if (next >= lane.first && next < lane.end)
			this.goTo({capture, row: next});
	},

	find(text) {
		search.run(text);
		element('found').textContent = !search.text ? '' :
			search.count === 1 ? '1 job' : `${thousands(search.count)} jobs`;
		this.draw();
	},

	nextMatch(direction) {
		if (!search.count)
			return;
		const first = captures.find((capture) => capture.rows);
		const here = timeline.selected ?? {capture: first, row: -1};
		const match = search.next(direction, here);
		if (match)
			this.goTo(match);
	},

	tell(event, words) {
		const tooltip = element('tooltip');

		tooltip.hidden = !words;
		tooltip.textContent = words;
		if (!words)
			return;
		const {width, height} = tooltip.getBoundingClientRect();
		tooltip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 4))}px`;
		tooltip.style.top = `${Math.max(4, Math.min(event.clientY + 16, innerHeight - height - 4))}px`;
	},
};

// ------------------------------------------------------------------ pointer

function describe(capture, row) {
	const from = capture.from[row], to = capture.to[row];
	const lines = [`${capture.key(row)}  ${capture.taskName(capture.task[row])}`,
		`${moment(capture, from)} + ${duration(to - from)}`];

	if (capture.label(row) !== 'ok')
		lines.push(capture.label(row));
	if (capture.shape[row] & flagBits.startInferred)
		lines.push('START inferred');
	return lines.join('\n');
}

function describePixel(ring, x) {
	const lines = [ring.title];

	forEachPixel(ring, levelFor(ring), (at, share, buckets) => {
		if (at !== Math.floor(x - gutter))
			return;
		const jobs = share(JOBS) * buckets * levelFor(ring).ns;
		if (jobs >= 0.5)
			lines.push(`about ${Math.round(jobs) === 1 ? '1 job begins' : `${thousands(jobs)} jobs begin`} here`);
		for (const [tgid, slot, comm] of ring.capture.processes)
			if (slot < slots - 1 && share(slot) > 0.0005)
				lines.push(`${comm} ${tgid}: ${(100 * share(slot)).toFixed(1)} %`);
		if (share(slots - 1) > 0.0005)
			lines.push(`others: ${(100 * share(slots - 1)).toFixed(1)} %`);
	});
	return lines.length > 1 ? lines.join('\n') : '';
}

function describeQueue(ring, x) {
	const {capture} = ring;
	if (!capture.ready || capture.dropped)
		return '';
	const time = view.time(x) - capture.offset;
	const [came, went] = ring.flow();
	const depth = came.jobs(came.until(time)) - went.jobs(went.until(time));
	return `${ring.title}\n${thousands(depth)} jobs submitted and not done`;
}

function describeLoss(x) {
	const time = view.time(x), slack = 2 * view.nsPerPixel();

	for (const capture of captures)
		for (const [from, to] of capture.losses)
			if (time >= capture.offset + from - slack && time <= capture.offset + to + slack) {
				const places = capture.uncounted_places;
				return `${lostWords(capture, from, to)} in ${duration(to - from)} here` +
					(places ? `; ${thousands(places)} more places are not counted one by one` : '');
			}
	return '';
}

function hover(event) {
	const {ring, row, isQueue, isWait, bar, waiter, link} = timeline.at(event.offsetX, event.offsetY);
	let words = '';

	if (waiter)
		words = `${waiter.capture.taskName(waiter.task)}: waited ${duration(waiter.ns)} in all` +
			(link ? `\nhere ${duration(link.to - link.from)} for ${waiter.capture.key(link.row)}` : '');
	else if (ring && event.offsetX < gutter)
		words = `${ring.title}\n${ring.engine}, ring ${ring.id}, ${thousands(ring.jobs)} jobs`;
	else if (isWait)
		words = describeWait(ring, bar);
	else if (isQueue)
		words = describeQueue(ring, event.offsetX);
	else if (ring && row >= 0 && isTooCoarse(ring))
		words = describe(ring.capture, row);
	else if (ring)
		words = describePixel(ring, event.offsetX);
	const loss = event.offsetX >= gutter ? describeLoss(event.offsetX) : '';
	page.tell(event, [loss, words].filter(Boolean).join('\n'));
}

function listenToPointer() {
	const {canvas, stage} = timeline;
	let down = null; // where a drag began

	canvas.addEventListener('wheel', (event) => {
		// Over the names the wheel scrolls, as everywhere.
		if (event.offsetX < gutter || event.ctrlKey)
			return;
		event.preventDefault();
		const turn = event.deltaMode ? event.deltaY * 30 : event.deltaY;
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			view.pan((event.deltaX || turn) * view.nsPerPixel());
		else
			view.zoom(Math.exp(Math.max(-300, Math.min(300, turn)) / 400), view.time(event.offsetX));
		hover(event);
	}, {passive: false});
	canvas.addEventListener('pointerdown', (event) => {
		if (event.button)
			return;
		canvas.setPointerCapture(event.pointerId);
		down = {x: event.clientX, y: event.clientY, from: view.from, to: view.to, top: stage.scrollTop, moved: false,
			// On the axis, or with Shift, a drag chooses a time.
			time: event.shiftKey || event.offsetY < axisHeight - 4 ? view.time(event.offsetX) : null};
	});
	canvas.addEventListener('pointermove', (event) => {
		if (!down)
			return hover(event);
		const dx = event.clientX - down.x, dy = event.clientY - down.y;
		if (!down.moved && Math.hypot(dx, dy) < 4)
			return;
		down.moved = true;
		if (down.time !== null)
			return range.choose({from: down.time, to: view.time(event.offsetX)});
		canvas.classList.add('drag');
		page.tell(event, '');
		const ns = dx * (down.to - down.from) / view.width;
		stage.scrollTop = down.top - dy;
		view.show(down.from - ns, down.to - ns);
	});
	canvas.addEventListener('pointerup', (event) => {
		const wasClick = down && !down.moved;
		down = null;
		canvas.classList.remove('drag');
		if (!wasClick)
			return;
		const {capture, row} = timeline.at(event.offsetX, event.offsetY);
		page.select(row >= 0 ? {capture, row} : null);
	});
	canvas.addEventListener('pointercancel', () => { down = null; });
	canvas.addEventListener('pointerleave', (event) => page.tell(event, ''));
	canvas.addEventListener('dblclick', () => page.zoomToSelected());
	stage.addEventListener('scroll', () => page.draw());
}

// ----------------------------------------------------------------- keyboard

const keys = {
	ArrowLeft: () => view.pan((view.from - view.to) * 0.1),
	ArrowRight: () => view.pan((view.to - view.from) * 0.1),
	ArrowUp: () => timeline.stage.scrollBy(0, -lineHeight),
	ArrowDown: () => timeline.stage.scrollBy(0, lineHeight),
	'+': () => view.zoom(1 / 1.5),
	'=': () => view.zoom(1 / 1.5),
	'-': () => view.zoom(1.5),
	0: () => view.fit(),
	'/': () => element('search').focus(),
	'[': () => page.neighbour(-1),
	']': () => page.neighbour(1),
	z: () => page.zoomToSelected(),
	// As in other programs that draw traces.
	a: () => view.pan((view.from - view.to) * 0.1),
	d: () => view.pan((view.to - view.from) * 0.1),
	w: () => view.zoom(1 / 1.5),
	s: () => view.zoom(1.5),
	'?': () => element('help').showModal(),
	r: () => range.choose(range.chosen ? null : range.now()),
	Escape: () => (timeline.selected ? page.select(null) : range.choose(null)),
};
const shiftedKeys = {
	ArrowLeft: () => range.stretch(-0.02),
	ArrowRight: () => range.stretch(0.02),
};

function listenToKeys() {
	const input = element('search');

	document.addEventListener('keydown', (event) => {
		const act = event.shiftKey && shiftedKeys[event.key] || keys[event.key];
		const typing = event.target.closest?.('input, select, dialog');

		if (!act || typing || event.ctrlKey || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		act();
	});
	input.addEventListener('input', () => page.find(input.value));
	input.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') {
			input.value = '';
			page.find('');
			input.blur();
			timeline.canvas.focus();
		} else if (event.key === 'Enter' && event.shiftKey) {
			event.preventDefault();
			page.nextMatch(-1);
		}
	});
	element('search-form').addEventListener('submit', (event) => {
		event.preventDefault();
		page.nextMatch(1);
	});
	element('previous').addEventListener('click', () => page.nextMatch(-1));
	element('zoom-in').addEventListener('click', () => view.zoom(1 / 2));
	element('zoom-out').addEventListener('click', () => view.zoom(2));
	element('fit').addEventListener('click', () => view.fit());
	element('choose').addEventListener('click', keys.r);
	element('keys').addEventListener('click', () => element('help').showModal());
}

// --------------------------------------------------------------------- words

function fillSummary() {
	const jobs = captures.reduce((sum, {rings}) => sum + rings.reduce((all, ring) => all + ring.jobs, 0), 0);
	const lost = captures.reduce((sum, capture) => sum + capture.lost, 0);
	const names = captures.map((capture) => capture.name).join(', ');
	const [{release, real_ms: ms}] = captures;
	const words = [names];

	document.title = `${names} - grtrace report`;
	if (release)
		words.push(`Linux ${release}`);
	if (ms)
		words.push(new Date(ms).toISOString().slice(0, 19).replace('T', ' ') + ' UTC');
	const places = captures.reduce((sum, capture) =>
		sum + capture.loss_places.length + capture.uncounted_places, 0);
	words.push(`${thousands(jobs)} jobs`);
	if (lost)
		words.push(`${thousands(lost)} records lost in ${thousands(places)} places`);
	for (const capture of captures)
		if (capture.missing_ends)
			words.push((captures.length > 1 ? `${capture.name}: ` : '') + capture.missing_ends);
	if (!lost && !captures.some((capture) => capture.missing_ends))
		words.push('nothing lost');
	element('summary').textContent = words.join(' · ');
}

function fillLegend() {
	const legend = element('legend');
	const seen = new Set();

	for (const capture of captures)
		for (const [tgid, slot, comm] of [...capture.processes].sort((a, b) => a[1] - b[1])) {
			const words = comm || (tgid ? `pid ${tgid}` : '');
			if (slot === slots - 1 || seen.has(`${words} ${tgid}`))
				continue;
			seen.add(`${words} ${tgid}`);
			const button = make('button', `${words} ${comm ? tgid : ''}`);
			button.type = 'button';
			button.title = 'Find its jobs';
			button.addEventListener('click', () => {
				element('search').value = String(tgid);
				page.find(String(tgid));
			});
			legend.append(legendItem(`process-${capture.colours[slot]}`, button));
		}
	legend.append(legendItem(`process-${slots - 1}`, make('span', 'others')));
	waitKinds.forEach((kind, i) => legend.append(legendItem(`wait-${kind}`, make('span', `waits: ${waitWords[i]}`))));
	legend.append(legendItem('failed', make('span', 'failed')));
}

function legendItem(colour, words) {
	const item = make('li');
	const key = make('span', '', 'key');

	key.style.background = `var(--${colour})`;
	item.append(key, words);
	return item;
}

function fillNotes() {
	const notes = [];

	for (const capture of captures) {
		if (capture.dropped)
			notes.push(`${thousands(capture.dropped)} jobs of at most ${duration(capture.dropped_ns)} are in ` +
				`the shares and averages only: there were more than a page can hold.`);
		if (capture.links_dropped)
			notes.push(`${thousands(capture.links_dropped)} dependencies and waits are not in the page.`);
		if (capture.left_out)
			notes.push(`${thousands(capture.left_out)} jobs are not drawn: of rings beyond the first 256, ` +
				`or without any time.`);
	}
	if (captures.length > 1 && !head.wall_clock)
		notes.push('The captures do not overlap in real time: each is drawn from its own beginning.');
	if (!captures.some((capture) => capture.rings.length))
		notes.push('No capture has a job in it.');
	element('notes').textContent = notes.join(' ');
}

// --------------------------------------------------------------------- begin

// Decodes jobs while the page can be used already.
function decode() {
	inSlices(captures.map((capture) => capture.decodeRows()), () => {
		document.body.dataset.rows = 'ready';
		timeline.place();
		page.find(element('search').value);
		if (new URLSearchParams(location.hash.slice(1)).has('job'))
			address.go();
		inSlices(captures.map((capture) => capture.sumUp()), () => {
			document.body.dataset.waits = 'ready';
			range.note();
			page.draw();
		});
	});
}

function inSlices(slices, done) {
	const until = performance.now() + 30;

	while (slices.length && performance.now() < until)
		if (slices[0].next().done)
			slices.shift();
	if (slices.length)
		setTimeout(() => inSlices(slices, done));
	else
		done();
}

function begin() {
	paint.read();
	chooseColours();
	fillSummary();
	fillLegend();
	fillNotes();
	tables.fill();
	fillDelays();
	fillFindings();
	timeline.place();
	view.fit();
	address.known = address.here();
	view.changed = () => {
		address.note();
		if (!range.chosen)
			range.note();
		page.draw();
	};
	address.go();
	addEventListener('hashchange', () => address.go());
	page.draw();
	listenToPointer();
	listenToKeys();
	overview.listen();
	tables.draw();
	dark.addEventListener('change', () => {
		paint.read();
		tables.draw();
		page.draw();
	});
	new ResizeObserver(() => {
		tables.draw();
		page.draw();
	}).observe(timeline.stage);
	if (document.readyState === 'loading')
		document.addEventListener('DOMContentLoaded', decode);
	else
		decode();
}

begin();
