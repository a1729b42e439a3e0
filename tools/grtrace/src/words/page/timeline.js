// SPDX-License-Identifier: GPL-2.0
//
// The timeline: an axis, and below it a line per ring. The canvas is as large as
// its window only; lines are drawn where the window is scrolled to.

const axisHeight = 26, headingHeight = 24, bandHeight = 34, waitHeight = 13, depthHeight = 18, lineGap = 12;
const lossHeight = 16; // above the rings of a capture, for the counts
const lineHeight = bandHeight + waitHeight + depthHeight + lineGap;

const timeline = {
	canvas: document.getElementById('timeline'),
	stage: document.getElementById('stage'),
	height: 0, // of all lines
	lines: [], // {ring, y}, {waiter, y} or {heading, y}
	selected: null, // {capture, row}

	place() {
		let y = axisHeight;

		this.lines = [];
		for (const capture of captures) {
			const head = (heading, bold) => {
				this.lines.push({heading, bold, y});
				y += headingHeight;
			};
			if (captures.length > 1)
				head(capture.name, true);
			if (capture.losses.length)
				y += lossHeight;
			capture.top = y;
			// The rings of a GPU stand together.
			const devices = [...new Set(capture.rings.map(({dev}) => dev))];
			for (const dev of devices) {
				if (devices.length > 1)
					head(dev || 'rings without a name', false);
				for (const ring of capture.rings.filter((one) => one.dev === dev)) {
					ring.y = y + 4;
					ring.shown = devices.length > 1 && dev ? ring.title.slice(dev.length).trim() : ring.title;
					this.lines.push({ring, y: y + 4});
					y += lineHeight;
				}
			}
			capture.bottom = y;
			for (const waiter of capture.waiters ?? []) {
				waiter.y = y;
				this.lines.push({waiter, y});
				y += waiterHeight;
			}
		}
		this.height = y + 4;
		document.getElementById('spacer').style.height = '0';
	},

	draw() {
		const {stage, canvas} = this;
		const width = stage.clientWidth;
		const height = Math.min(this.height, Math.round(innerHeight * 0.66));
		const pen = penOf(canvas, width, height);
		document.getElementById('spacer').style.height = `${this.height - height}px`;
		const scrolled = stage.scrollTop;

		this.drawGrid(pen, height);
		pen.save();
		pen.translate(0, -scrolled);
		for (const line of this.lines) {
			if (line.y > scrolled + height || line.y + lineHeight < scrolled)
				continue;
			if (line.ring)
				this.drawRing(pen, line.ring);
			else if (line.waiter)
				drawWaiter(pen, line.waiter);
			else
				this.drawHeading(pen, line);
		}
		for (const capture of captures)
			this.drawOver(pen, capture);
		pen.restore();
		this.drawAxis(pen, width);
		drawChosen(pen, height);
	},

	drawHeading(pen, {heading, bold, y}) {
		pen.fillStyle = bold ? paint.text : paint.dim;
		pen.font = 'bold 12px system-ui, "DejaVu Sans", sans-serif';
		pen.fillText(fitText(pen, heading, gutter - 16), 8, y + headingHeight / 2 + 3);
		pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
	},

	drawRing(pen, ring) {
		const top = ring.y;
		const busy = ring.busy_ns === null ? "NA" :
			`${(100 * ring.busy_ns / Math.max(1, ring.capture.length)).toFixed(1)} %`;

		pen.fillStyle = paint.text;
		pen.fillText(fitText(pen, ring.shown, gutter - 16), 8, top + 9);
		pen.fillStyle = paint.dim;
		pen.font = '10px system-ui, "DejaVu Sans", sans-serif';
		pen.fillText(fitText(pen, `${ring.engine} · ${thousands(ring.jobs)} jobs · busy ${busy}`,
			gutter - 14), 8, top + 25);
		pen.font = '12px system-ui, "DejaVu Sans", sans-serif';

		pen.save();
		pen.fillStyle = paint.lane;
		pen.fillRect(gutter, top, view.width, bandHeight);
		if (isTooCoarse(ring) && ring.capture.ready)
			this.drawLanes(pen, ring, top);
		else
			drawDensity(pen, ring, top, bandHeight);
		drawWaits(pen, ring, top + bandHeight + 2);
		drawDepth(pen, ring, top + bandHeight + waitHeight + 2, depthHeight - 2);
		pen.restore();
	},

	drawLanes(pen, ring, top) {
		// Lanes that are empty now take no room.
		ring.seen = 1;
		ring.lanes.forEach((lane, i) => {
			const [first, end] = seenRows(ring.capture, lane);
			if (end > first)
				ring.seen = i + 1;
		});
		const height = bandHeight / ring.seen;

		pen.save();
		pen.beginPath();
		pen.rect(gutter, top - 5, view.width, bandHeight + 6);
		pen.clip();
		ring.lanes.slice(0, ring.seen).forEach((lane, i) => {
			drawLane(pen, ring, lane, top + i * height, height - (height > 6 ? 1 : 0));
		});
		pen.restore();
	},

	// What lies over the rings of a capture.
	drawOver(pen, capture) {
		const {rings} = capture;
		if (!rings.length)
			return;
		const {top, bottom} = capture;
		const selected = this.selected?.capture === capture ? this.selected : null;

		pen.save();
		pen.beginPath();
		pen.rect(gutter, top - lossHeight, view.width, bottom - top + lossHeight);
		pen.clip();
		this.drawLosses(pen, capture, top, bottom);
		drawArrows(pen, capture, selected);
		if (selected)
			this.drawSelected(pen, selected);
		pen.restore();
	},

	drawLosses(pen, capture, top, bottom) {
		let free = 0; // right of the last count

		for (const [from, to] of capture.losses) {
			const x = Math.max(gutter, view.x(capture.offset + from));
			const right = Math.min(gutter + view.width, view.x(capture.offset + to));
			if (right < gutter || x > gutter + view.width)
				continue;
			pen.globalAlpha = 0.6;
			pen.fillStyle = paint.hatch;
			pen.fillRect(x, top, Math.max(3, right - x), bottom - top);
			pen.globalAlpha = 1;
			free = this.drawCount(pen, lostWords(capture, from, to), x, top - lossHeight + 2, free);
		}
	},

	// How many records were lost, if there is room; returns where that ends.
	drawCount(pen, words, x, y, free) {
		if (x < free)
			return free;
		pen.font = '10px system-ui, "DejaVu Sans", sans-serif';
		const width = pen.measureText(words).width + 8;
		const left = Math.min(x, gutter + view.width - width);
		pen.fillStyle = paint.text;
		pen.fillRect(left, y, width, lossHeight - 3);
		pen.fillStyle = paint.back;
		pen.fillText(words, left + 4, y + lossHeight / 2 - 1);
		pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
		return left + width + 3;
	},

	drawSelected(pen, {capture, row}) {
		const x = view.x(capture.offset + capture.from[row]);
		const right = view.x(capture.offset + capture.to[row]);
		const [top, height] = this.boxOf(capture, row);

		pen.strokeStyle = paint.focus;
		pen.lineWidth = 2;
		pen.strokeRect(Math.max(x, gutter - 5) - 1, top - 1,
			Math.min(right, gutter + view.width + 5) - Math.max(x, gutter - 5) + 2, height + 2);
		if (right - x < 8) {
			pen.fillStyle = paint.focus;
			pen.beginPath();
			pen.moveTo(x, top - 2);
			pen.lineTo(x - 5, top - 9);
			pen.lineTo(x + 5, top - 9);
			pen.fill();
		}
	},

	// top and height of a job
	boxOf(capture, row) {
		const ring = capture.ringOf(row);
		const height = bandHeight / (ring.seen ?? ring.lanes.length);
		return [ring.y + Math.min(capture.laneOf(row) * height, bandHeight - height), height];
	},

	middleOf(capture, row) {
		const [top, height] = this.boxOf(capture, row);
		return top + height / 2;
	},

	// Ticks that are seen: [x, time since the start]; and how far they are apart.
	ticks() {
		const [capture] = captures;
		const origin = capture.origin - capture.offset;
		const step = niceStep((view.to - view.from) / Math.max(2, view.width / 110));
		const found = [];

		for (let i = Math.ceil((view.from + origin) / step); i * step <= view.to + origin; i++)
			found.push([view.x(i * step - origin), i * step]);
		return [found, step];
	},

	drawGrid(pen, height) {
		pen.fillStyle = paint.line;
		for (const [x] of this.ticks()[0])
			pen.fillRect(Math.round(x), axisHeight - 4, 1, height);
	},

	drawAxis(pen, width) {
		const [ticks, step] = this.ticks();
		const first = ticks[0]?.[1] ?? 0;
		// Far from zero they count from a moment that is written on the left.
		const anchor = first / step > 9999 ? Math.floor(first / (step * 1000)) * step * 1000 : 0;
		const [size, unit] = unitOf(step * 5);
		const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));

		pen.fillStyle = paint.back;
		pen.fillRect(0, 0, width, axisHeight - 4);
		pen.fillStyle = paint.dim;
		pen.textAlign = 'center';
		for (const [x, at] of ticks) {
			pen.fillText(`${((at - anchor) / size).toFixed(digits)} ${unit}`, x, 10);
			pen.fillRect(Math.round(x), axisHeight - 8, 1, 4);
		}
		pen.textAlign = 'left';
		pen.fillStyle = paint.back;
		pen.fillRect(0, 0, gutter - 20, axisHeight - 4);
		pen.fillStyle = paint.dim;
		pen.fillText(fitText(pen, anchor ? `${(anchor / 1e9).toFixed(9).replace(/0+$/, '')} s +` : 'since the start',
			gutter - 32), 8, 10);
	},

	// What is at a pixel of the canvas: a ring, and one of its jobs (row) or the
	// queue below them.
	at(x, y) {
		const scrolled = y + this.stage.scrollTop;
		if (y < axisHeight - 4)
			return {};
		const line = this.lines.find((one) => one.ring && scrolled >= one.y - 3 &&
			scrolled < one.y + bandHeight + waitHeight + depthHeight);
		const {waiter} = this.lines.find((one) => one.waiter && scrolled >= one.y &&
			scrolled < one.y + waiterHeight) ?? {};
		if (waiter) {
			const link = x >= gutter ? waitedAt(waiter, x) : null;
			return {waiter, link, row: link?.row ?? -1, capture: waiter.capture};
		}
		if (!line)
			return {};
		const {ring} = line, {capture} = ring;
		if (scrolled >= line.y + bandHeight + waitHeight)
			return {ring, capture, row: -1, isQueue: true};
		if (scrolled >= line.y + bandHeight) {
			const bar = barAt(ring, x, scrolled);
			return {ring, capture, row: bar?.row ?? -1, bar, isWait: true};
		}
		const lane = Math.floor((scrolled - line.y) / (bandHeight / (ring.seen ?? 1)));
		let row = -1;
		if (ring.capture.ready && x >= gutter && ring.lanes[lane])
			row = rowAt(ring.capture, ring.lanes[lane], x);
		return {ring, capture, row};
	},

	// Scrolls a job's ring into the window.
	reveal(ring) {
		const {stage} = this;
		if (ring.y < stage.scrollTop + axisHeight)
			stage.scrollTop = ring.y - axisHeight;
		else if (ring.y + lineHeight > stage.scrollTop + stage.clientHeight)
			stage.scrollTop = ring.y + lineHeight - stage.clientHeight;
	},
};

// How many: of the first places only each is counted.
function lostWords(capture, from, to) {
	const records = lostIn(capture, from, to);

	if (!records)
		return 'lost';
	return `${capture.uncounted_places ? 'at least ' : ''}${thousands(records)} lost`;
}

// Records lost in a stretch, as far as the capture says where; 0: not known.
function lostIn(capture, from, to) {
	let records = 0;

	for (const [begin, end, count] of capture.loss_places)
		if (begin <= to && end >= from)
			records += count;
	return records;
}
