// SPDX-License-Identifier: GPL-2.0
//
// A ring from near: its jobs. Those too narrow to be told apart become the shares
// of a pixel again, so that zooming in changes nothing suddenly.

const narrow = 2; // pixels

// The rows of a lane that can be seen: first, end.
function seenRows(capture, lane) {
	const from = view.from - capture.offset;
	const to = view.to - capture.offset;

	// On a lane of its own no job outlasts the next one.
	return [above(capture.to, from, lane.first, lane.end),
		above(capture.from, to, lane.first, lane.end)];
}

function drawLane(pen, ring, lane, top, height) {
	const {capture} = ring;
	const [first, end] = seenRows(capture, lane);
	const shares = new Float32Array(view.width * slots);
	const pixel = view.nsPerPixel();
	const start = view.from - capture.offset;
	const isMatch = search.matches(capture);

	for (let row = first; row < end; row++) {
		const x = (capture.from[row] - start) / pixel;
		const right = (capture.to[row] - start) / pixel;

		if (right - x < narrow)
			addShares(shares, capture.slot(row), x, right);
		else
			drawJob(pen, capture, row, gutter + x, gutter + right, top, height,
				isMatch && !isMatch[row]);
	}
	drawShares(pen, capture, shares, top, height);
	drawMarks(pen, capture, first, end, top, height);
}

function addShares(shares, slot, x, right) {
	// One that took no time to speak of is still seen.
	right = Math.max(right, x + 0.15);
	for (let at = Math.max(0, Math.floor(x)); at < right && at < view.width; at++) {
		const part = Math.min(right, at + 1) - Math.max(x, at);
		if (part > 0)
			shares[at * slots + slot] += part;
	}
}

function drawShares(pen, capture, shares, top, height) {
	for (let x = 0; x < view.width; x++) {
		let bottom = top + height;
		for (let slot = 0; slot < slots; slot++) {
			const share = shares[x * slots + slot];
			if (!share)
				continue;
			const part = Math.max(1, Math.min(share * height, bottom - top));
			pen.fillStyle = colourOf(capture, slot);
			pen.fillRect(gutter + x, bottom - part, 1, part);
			bottom -= part;
		}
	}
}

function drawJob(pen, capture, row, x, right, top, height, isFaint) {
	const left = Math.max(gutter - 2, x);
	const width = Math.min(right, gutter + view.width + 2) - left;
	const slot = capture.slot(row);

	pen.globalAlpha = isFaint ? 0.25 : 1;
	pen.fillStyle = colourOf(capture, slot);
	pen.fillRect(left, top, width, height);
	// A line between jobs that follow at once.
	if (width > 5) {
		pen.fillStyle = paint.back;
		pen.fillRect(left + width - 1, top, 1, height);
	}
	if (capture.shape[row] & flagBits.startInferred && x >= gutter && width > 12)
		drawInferred(pen, x, top, height);
	if (width > 46 && height >= 13 && !isFaint) {
		const task = capture.tasks[capture.task[row]];
		pen.fillStyle = paint.ink[capture.colours[slot]];
		const name = `${capture.key(row)} ${task[3]}`;
		pen.fillText(fitText(pen, name, width - 10), left + 5, top + height / 2 + 0.5);
	}
	pen.globalAlpha = 1;
}

function drawInferred(pen, x, top, height) {
	pen.strokeStyle = paint.back;
	pen.lineWidth = 2;
	pen.beginPath();
	pen.moveTo(x + 1, top);
	pen.lineTo(x + 1, top + height);
	pen.stroke();
	pen.strokeStyle = paint.text;
	pen.setLineDash([4, 3]);
	pen.stroke();
	pen.setLineDash([]);
}

// What stays visible at any width: failed jobs, and those without an end. At
// most one of a kind for each pixel.
function drawMarks(pen, capture, first, end, top, height) {
	const isOver = 1 << END | 1 << COMPLETE;
	let crossed = -Infinity, open = -Infinity;

	for (let row = first; row < end; row++) {
		const shape = capture.shape[row];
		if (shape & flagBits.failed) {
			const x = view.x(capture.offset + capture.to[row]);
			if (x - crossed >= 3 && x >= gutter)
				drawCross(pen, crossed = x, top);
		} else if (!(shape & isOver)) {
			const x = view.x(capture.offset + capture.from[row]);
			if (x - open >= 3 && x >= gutter)
				drawOpen(pen, open = x, top, height, capture, row);
		}
	}
}

function drawCross(pen, x, top) {
	for (const [width, colour] of [[4, paint.back], [2, paint.failed]]) {
		pen.strokeStyle = colour;
		pen.lineWidth = width;
		pen.beginPath();
		pen.moveTo(x - 7, top + 2);
		pen.lineTo(x - 1, top + 8);
		pen.moveTo(x - 1, top + 2);
		pen.lineTo(x - 7, top + 8);
		pen.stroke();
	}
}

// Begins, and nobody told how it went on.
function drawOpen(pen, x, top, height, capture, row) {
	pen.strokeStyle = colourOf(capture, capture.slot(row));
	pen.lineWidth = 2;
	pen.beginPath();
	pen.moveTo(x + 7, top + 1);
	pen.lineTo(x + 1, top + 1);
	pen.lineTo(x + 1, top + height - 1);
	pen.lineTo(x + 7, top + height - 1);
	pen.stroke();
}

// The job at a pixel of a lane, or the nearest within a few pixels; -1: none.
function rowAt(capture, lane, x) {
	const pixel = view.nsPerPixel();
	const time = view.time(x) - capture.offset;
	const next = above(capture.from, time, lane.first, lane.end);
	let best = -1, least = 4 * pixel;

	for (let row = Math.max(lane.first, next - 2); row < Math.min(lane.end, next + 1); row++) {
		const away = Math.max(0, capture.from[row] - time, time - capture.to[row]);
		if (away < least) {
			least = away;
			best = row;
		}
	}
	return best;
}
