// SPDX-License-Identifier: GPL-2.0
//
// Canvases, and the colours that things have on them.

const dark = matchMedia('(prefers-color-scheme: dark)');

const paint = {
	processes: [], // by slot
	waits: [], // by cause
	ink: [], // what is read on the colours of processes
	hatch: null,

	// After a change of the colour scheme.
	read() {
		const style = getComputedStyle(document.documentElement);

		for (const name of ['back', 'panel', 'line', 'text', 'dim', 'lane', 'depth', 'focus',
			'failed', 'arrow', 'match', 'hatch'])
			this[name] = style.getPropertyValue(`--${name}`).trim();
		this.processes = Array.from({length: slots}, (_, i) => style.getPropertyValue(`--process-${i}`).trim());
		this.waits = waitKinds.map((kind) => style.getPropertyValue(`--wait-${kind}`).trim());
		this.ink = this.processes.map((colour) => (luminance(colour) > 0.52 ? '#000' : '#fff'));
		this.hatch = this.stripes();
	},

	stripes() {
		const tile = document.createElement('canvas');
		tile.width = tile.height = 8;
		const pen = tile.getContext('2d');

		pen.strokeStyle = this.hatch;
		pen.lineWidth = 1.5;
		pen.beginPath();
		for (const shift of [-8, 0, 8]) {
			pen.moveTo(shift, 8);
			pen.lineTo(shift + 8, 0);
		}
		pen.stroke();
		return pen.createPattern(tile, 'repeat');
	},
};

function luminance(colour) {
	const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
	return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

// capture.colours[slot]: in the order of slots; a name that an earlier capture
// had keeps its colour, so that captures can be compared.
function chooseColours() {
	const others = slots - 1;
	const chosen = new Map();

	for (const capture of captures) {
		const free = new Set(Array(others).keys());

		capture.colours = new Array(slots).fill(others);
		const owners = capture.processes.filter(([, slot]) => slot !== others);
		for (const [, slot, comm] of owners) {
			const colour = chosen.get(comm);
			if (free.delete(colour))
				capture.colours[slot] = colour;
		}
		for (const [, slot, comm] of owners) {
			if (capture.colours[slot] !== others)
				continue;
			const colour = free.has(slot) ? slot : Math.min(...free);
			free.delete(colour);
			capture.colours[slot] = colour;
			if (!chosen.has(comm))
				chosen.set(comm, colour);
		}
	}
}

function colourOf(capture, slot) {
	return paint.processes[capture.colours[slot]];
}

// The canvas in device pixels; drawn in CSS pixels.
function penOf(canvas, width, height) {
	const ratio = devicePixelRatio || 1;
	const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];

	if (canvas.width !== wide || canvas.height !== high) {
		canvas.width = wide;
		canvas.height = high;
		canvas.style.height = `${height}px`;
	}
	const pen = canvas.getContext('2d');
	pen.setTransform(ratio, 0, 0, ratio, 0, 0);
	pen.clearRect(0, 0, width, height);
	pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
	pen.textBaseline = 'middle';
	return pen;
}

// Cut to so many pixels, with an ellipsis.
function fitText(pen, text, width) {
	if (pen.measureText(text).width <= width)
		return text;
	let length = Math.max(1, Math.floor(text.length * width / pen.measureText(text).width));
	while (length > 0 && pen.measureText(`${text.slice(0, length)}…`).width > width)
		length--;
	return length ? `${text.slice(0, length)}…` : '';
}

// A path of steps at each pixel: values(x) from 0 to 1.
function fillSteps(pen, left, width, bottom, height, value) {
	pen.beginPath();
	pen.moveTo(left, bottom);
	for (let x = 0; x < width; x++) {
		const y = bottom - height * value(x);
		pen.lineTo(left + x, y);
		pen.lineTo(left + x + 1, y);
	}
	pen.lineTo(left + width, bottom);
	pen.fill();
}
