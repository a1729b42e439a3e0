// SPDX-License-Identifier: GPL-2.0
//
// Why jobs waited: the time from SUBMIT to where a job is drawn, in pieces. The rules are
// those of src/words/delays/delay_split.h: while a fence blocks the job, or an earlier one of
// its context, that is the cause; else jobs that executed on the ring and ended before this
// one began are, and share a moment; else nobody.

const waitKinds = ['other', 'own', 'blocked', 'nobody'];
const [OTHER, OWN, BLOCKED_BY, NOBODY] = waitKinds.keys();
const waitWords = ["another process's job ran", "own process's job ran", 'a dependency',
	'no job: scheduler, driver, host'];

function waits(capture, row) {
	return capture.submit[row] < capture.from[row];
}

function processOf(capture, row) {
	return capture.tasks[capture.task[row]][2];
}

// The jobs of a lane that executed in from..to and had ended by `limit`.
function addExecuted(capture, lane, [from, to, limit], found) {
	for (let row = above(capture.to, from, lane.first, lane.end); row < lane.end && capture.from[row] < to; row++)
		if (capture.shape[row] & (1 << START) && capture.out[row] <= limit)
			found.push({row, from: Math.max(from, capture.from[row]), to: Math.min(to, capture.to[row])});
}

// One after the other, as on most rings.
function inTurn(found, [from, to], visit) {
	let now = from;

	for (const one of found) {
		if (one.from > now)
			visit(now, one.from, -1, 1);
		visit(one.from, now = one.to, one.row, 1);
	}
	if (now < to)
		visit(now, to, -1, 1);
}

// From edge to edge: who executed in between, once for each process.
function shareMoments(capture, found, [from, to], visit) {
	const edges = found.flatMap((one) => [[one.from, one, true], [one.to, one, false]]).sort((a, b) => a[0] - b[0]);
	const active = new Set();
	let now = from;

	for (const [at, one, begins] of [...edges, [to, null, false]]) {
		if (at > now) {
			const rows = [...new Map([...active].map(({row}) => [processOf(capture, row), row])).values()];
			for (const row of rows)
				visit(now, at, row, 1 / rows.length);
			if (!rows.length)
				visit(now, at, -1, 1);
			now = at;
		}
		if (begins)
			active.add(one);
		else
			active.delete(one);
	}
}

// The part of a wait in first..last: visit(kind, from, to, the job that is the cause or -1,
// share of the time).
function splitWait(ring, row, [first, last], visit) {
	const {capture} = ring;
	const end = Math.min(last, capture.from[row]), process = capture.processes[processOf(capture, row)];
	const ran = (from, to) => {
		const found = [];
		for (const lane of ring.lanes)
			addExecuted(capture, lane, [from, to, capture.from[row]], found);
		const tell = (begin, until, other, share) => {
			const own = other >= 0 && capture.processes[processOf(capture, other)][0] === process[0];
			visit(other < 0 ? NOBODY : own ? OWN : OTHER, begin, until, other, share);
		};
		if (ring.lanes.length === 1)
			inTurn(found, [from, to], tell);
		else
			shareMoments(capture, found, [from, to], tell);
	};
	const spans = ring.blocked?.get(capture.context[row]) ?? [];
	let at = Math.max(first, capture.submit[row]);

	for (let i = spans.length && above(spans.ends, at, 0, spans.length); i < spans.length; i++) {
		const span = spans[i];
		const from = Math.max(at, span.from), to = Math.min(end, span.to);
		if (span.from >= end)
			break;
		if (span.seqno > capture.seqno[row] || from >= to)
			continue;
		if (from > at)
			ran(at, from);
		visit(BLOCKED_BY, from, to, span.other, 1);
		at = to;
	}
	if (at < end)
		ran(at, end);
}

// ring.blocked: by context, when which fence held it, in the order of the ends. What records
// were lost in is not known.
function findBlocked(capture) {
	let at = 0;

	for (const [row, links] of capture.linksOf) {
		while (row >= capture.rings[at].end)
			at++;
		const ring = capture.rings[at];
		ring.blocked ??= new Map();
		for (const {kind, from, to, other} of links)
			if (kind === 'blocked' && !capture.losses.some(([begin, end]) => begin <= to && end >= from))
				append(ring.blocked, capture.context[row], {from, to, other, seqno: capture.seqno[row]});
	}
	for (const ring of capture.rings)
		for (const spans of ring.blocked?.values() ?? [])
			spans.ends = Float64Array.from(spans.sort((a, b) => a.to - b.to), ({to}) => to);
}

// Adds ns to the buckets of a level: share of the overlap with from..to.
function addSpan(sums, {begin, ns}, from, to, share) {
	const last = Math.min(sums.length - 1, Math.floor((to - begin) / ns));

	for (let i = Math.max(0, Math.floor((from - begin) / ns)); i <= last; i++)
		sums[i] += share * (Math.min(to, begin + (i + 1) * ns) - Math.max(from, begin + i * ns));
}

// The waits of a ring as further columns of its finest level; in slices.
function *sumWaits(ring) {
	const {capture, levels: [level]} = ring;
	if (!level)
		return;
	const sums = waitKinds.map(() => new Float64Array(level.size));

	ring.longest = 0; // of its waits
	ring.endless = Infinity; // the first START that no END followed
	for (let row = ring.first; row < ring.end; row++) {
		if (row % 64 === 63)
			yield;
		if (capture.shape[row] & (1 << START) && Number.isNaN(capture.out[row]))
			ring.endless = Math.min(ring.endless, capture.from[row]);
		if (!waits(capture, row))
			continue;
		ring.longest = Math.max(ring.longest, capture.from[row] - capture.submit[row]);
		splitWait(ring, row, [-Infinity, Infinity], (kind, from, to, other, share) => addSpan(sums[kind], level, from, to, share));
	}
	level.sums.push(...sums);
	ring.waitsKnown = true;
}

// --------------------------------------------------------------------- drawing

const mostBars = 300, barHeight = 4;

// The waits that are seen, by SUBMIT; null if there are more than can be told apart.
function seenWaits(ring) {
	const {capture} = ring;
	const from = view.from - capture.offset, to = view.to - capture.offset;
	const found = [];

	for (const lane of ring.lanes)
		for (let row = above(capture.from, from, lane.first, lane.end);
			row < lane.end && capture.from[row] <= to + ring.longest; row++)
			if (capture.submit[row] < to && waits(capture, row) && found.push(row) > mostBars)
				return null;
	return found.sort((a, b) => capture.submit[a] - capture.submit[b]);
}

// A thin bar for each job from SUBMIT to where it is drawn, in as many lines as fit.
function drawWaitBars(pen, ring, rows, top) {
	const {capture} = ring;
	const free = new Array(Math.floor(waitHeight / barHeight)).fill(-Infinity);
	const edge = (ns) => Math.max(gutter, Math.min(gutter + view.width, view.x(capture.offset + ns)));

	ring.bars = [];
	for (const row of rows) {
		const line = Math.max(0, free.findIndex((end) => end <= capture.submit[row]));
		const y = top + line * barHeight;

		free[line] = capture.from[row];
		splitWait(ring, row, [view.from - capture.offset, view.to - capture.offset], (kind, from, to, other) => {
			const x = edge(from), right = Math.max(edge(to), x + 1);
			pen.fillStyle = paint.waits[kind];
			pen.fillRect(x, y, right - x, barHeight - 1);
			ring.bars.push({x, right, y, row, kind, other});
		});
	}
}

// From afar: as high as the share of a pixel in which jobs waited, by cause.
function drawWaitShares(pen, ring, top) {
	const colours = ring.waitsKnown ? paint.waits : [paint.depth];
	const first = ring.waitsKnown ? WAITS : QUEUED;
	const parts = new Float64Array(colours.length);

	forEachPixel(ring, ring.waitsKnown ? ring.levels[0] : levelFor(ring), (x, share) => {
		let all = 0, bottom = top + waitHeight - 1;

		for (let i = 0; i < parts.length; i++)
			all += parts[i] = share(first + i);
		if (!all)
			return;
		const scale = Math.max(2, Math.min(1, all) * (waitHeight - 1)) / all;
		for (let i = 0; i < parts.length; i++) {
			if (!parts[i])
				continue;
			pen.fillStyle = colours[i];
			pen.fillRect(gutter + x, bottom - scale * parts[i], 1, scale * parts[i]);
			bottom -= scale * parts[i];
		}
	});
}

function drawWaits(pen, ring, top) {
	const rows = isTooCoarse(ring) && ring.waitsKnown ? seenWaits(ring) : null;

	ring.bars = [];
	pen.fillStyle = paint.lane;
	pen.fillRect(gutter, top, view.width, waitHeight - 1);
	if (rows)
		drawWaitBars(pen, ring, rows, top);
	else
		drawWaitShares(pen, ring, top);
}

function barAt(ring, x, y) {
	return ring.bars?.find((one) => x >= one.x && x < one.right && y >= one.y && y < one.y + barHeight);
}

function describeWait(ring, bar) {
	const {capture} = ring;

	if (!bar)
		return `${ring.title}\nwaiting: SUBMIT to START`;
	return `${capture.key(bar.row)} waits ${duration(capture.from[bar.row] - capture.submit[bar.row])}\n` +
		`here: ${waitWords[bar.kind]}${bar.other >= 0 ? `, ${capture.key(bar.other)}` : ''}`;
}

// ------------------------------------------------------------------ waiting tasks

const mostWaiters = 8, waiterHeight = 18;

// capture.waiters: the tasks that waited longest for jobs, with their waits in order.
function findWaiters(capture) {
	const waiters = new Map();

	for (const links of capture.linksOf.values())
		for (const link of links)
			if (link.kind === 'waited')
				append(waiters, link.task, link);
	capture.waiters = [...waiters].map(([task, links]) => ({
		capture, task, links: links.sort((a, b) => a.to - b.to), ends: Float64Array.from(links, ({to}) => to),
		ns: links.reduce((sum, {from, to}) => sum + to - from, 0),
	})).sort((a, b) => b.ns - a.ns).slice(0, mostWaiters);
}

function drawWaiter(pen, {capture, task, links, ends, y}) {
	let free = 0; // pixels left of it are drawn

	pen.fillStyle = paint.text;
	pen.fillText(fitText(pen, `${capture.taskName(task)} waits`, gutter - 16), 8, y + waiterHeight / 2);
	pen.fillStyle = paint.lane;
	pen.fillRect(gutter, y + 3, view.width, waiterHeight - 6);
	pen.fillStyle = paint.dim;
	for (let i = above(ends, view.from - capture.offset, 0, ends.length); i < ends.length; i++) {
		const {from, to} = links[i];
		if (from > view.to - capture.offset)
			break;
		const x = Math.max(gutter, free, view.x(capture.offset + from));
		const right = Math.min(gutter + view.width, Math.max(x + 1, view.x(capture.offset + to)));
		if (right <= x)
			continue;
		pen.fillRect(x, y + 3, right - x, waiterHeight - 6);
		free = right;
	}
}

// The job that a task waits for at a pixel, or the nearest within a few; undefined: none.
function waitedAt({capture, links}, x) {
	const time = view.time(x) - capture.offset, slack = 3 * view.nsPerPixel();

	return links.find(({from, to}) => time >= from - slack && time <= to + slack);
}
