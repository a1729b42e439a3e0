// SPDX-License-Identifier: GPL-2.0
//
// Which time is seen, and how times are written.

let gutter = 206; // pixels to the left of the plot: fewer in a narrow window

const view = {
	least: 50, // ns; nothing is told apart below
	min: 0,
	max: Math.max(1, ...captures.map((capture) => capture.offset + capture.length)),
	from: 0,
	to: 1,
	width: 1, // pixels of the plot
	changed: () => {},

	nsPerPixel() {
		return (this.to - this.from) / this.width;
	},
	x(time) {
		return gutter + (time - this.from) / this.nsPerPixel();
	},
	time(x) {
		return this.from + (x - gutter) * this.nsPerPixel();
	},
	// A little beside the ends, so that they are seen.
	get air() {
		return (this.max - this.min) * 0.01;
	},
	show(from, to) {
		const {air} = this;
		const most = this.max - this.min + 2 * air;
		const length = Math.min(most, Math.max(this.least, to - from));
		let begin = from + (to - from - length) / 2;

		begin = Math.max(this.min - air, Math.min(begin, this.max + air - length));
		this.from = begin;
		this.to = begin + length;
		this.changed();
	},
	fit() {
		const all = this.max - this.min;

		this.show(this.min - all, this.max + all);
	},
	zoom(factor, time = (this.from + this.to) / 2) {
		this.show(time - (time - this.from) * factor, time + (this.to - time) * factor);
	},
	pan(ns) {
		this.show(this.from + ns, this.to + ns);
	},
};

const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']];

function unitOf(ns) {
	return units.find(([size]) => Math.abs(ns) >= size) ?? units[3];
}

function duration(ns) {
	if (Number.isNaN(ns))
		return 'NA';
	const [size, name] = unitOf(ns);
	return `${(ns / size).toFixed(size === 1 ? 0 : 3)} ${name}`;
}

// Seconds since the start of the capture, as grparse prints them.
function moment(capture, ns) {
	return `${((ns + capture.origin) / 1e9).toFixed(9)} s`;
}

function thousands(count) {
	return count.toLocaleString('en-US', {maximumFractionDigits: 0});
}

// 1, 2 or 5 of a power of ten, at least so many ns.
function niceStep(ns) {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, ns)));
	return power * [1, 2, 5, 10].find((factor) => power * factor >= ns);
}
