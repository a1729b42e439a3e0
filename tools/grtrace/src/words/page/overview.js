// SPDX-License-Identifier: GPL-2.0
//
// All of the time in one strip: how busy all rings were, where records were lost,
// where matches are; and the window that the timeline shows, to be moved.

const overview = {
	canvas: document.getElementById('overview'),
	sums: null, // shares of time by pixel, as long as its width stays
	failed: null, // pixels with a failed job

	x(time) {
		return gutter + (time - view.min + view.air) / (view.max - view.min + 2 * view.air) * this.width;
	},
	time(x) {
		return view.min - view.air + (x - gutter) / this.width * (view.max - view.min + 2 * view.air);
	},

	add(capture, ring) {
		const level = ring.levels[0];
		if (!level)
			return;
		const pixel = (view.max - view.min + 2 * view.air) / this.width;
		for (let i = 0; i < level.size; i++) {
			let sum = 0;
			for (let slot = 0; slot < slots; slot++)
				sum += level.sums[slot][i];
			const x = this.x(capture.offset + level.begin + i * level.ns) - gutter;
			if (level.sums[FAILED][i])
				this.failed.add(Math.round(x));
			if (!sum)
				continue;
			const right = x + level.ns / pixel;
			for (let at = Math.max(0, Math.floor(x)); at < right && at < this.width; at++)
				this.sums[at] += sum * (Math.min(right, at + 1) - Math.max(x, at)) /
					(right - x) / pixel;
		}
	},

	collect() {
		let rings = 0;

		this.sums = new Float64Array(this.width);
		this.failed = new Set();
		for (const capture of captures)
			for (const ring of capture.rings) {
				this.add(capture, ring);
				rings += ring.most;
			}
		this.most = Math.max(1e-9, this.sums.reduce((a, b) => Math.max(a, b), 0));
		this.scale = Math.min(Math.max(1, rings), this.most);
	},

	draw() {
		const full = this.canvas.clientWidth, height = 46;
		const pen = penOf(this.canvas, full, height);

		if (this.width !== view.width || !this.sums) {
			this.width = view.width;
			this.collect();
		}
		pen.fillStyle = paint.dim;
		pen.fillText('all of the time', 8, height / 2);
		const {width} = this;
		pen.fillStyle = paint.lane;
		pen.fillRect(gutter, 0, width, height);
		pen.fillStyle = paint.depth;
		fillSteps(pen, gutter, width, height, height - 8, (x) => this.sums[x] / this.scale);
		this.drawLosses(pen, height);
		pen.fillStyle = paint.failed;
		for (const x of this.failed)
			pen.fillRect(gutter + x, 0, 2, 7);
		search.drawMatches(pen, height);
		this.drawWindow(pen, height);
	},

	drawLosses(pen, height) {
		pen.fillStyle = paint.hatch;
		for (const capture of captures)
			for (const [from, to] of capture.losses) {
				const x = this.x(capture.offset + from);
				pen.fillRect(x, 0, Math.max(2, this.x(capture.offset + to) - x), height);
			}
	},

	drawWindow(pen, height) {
		const x = this.x(view.from), right = this.x(view.to), end = gutter + this.width;

		pen.fillStyle = paint.back;
		pen.globalAlpha = 0.6;
		pen.fillRect(gutter, 0, Math.max(0, x - gutter), height);
		pen.fillRect(right, 0, Math.max(0, end - right), height);
		pen.globalAlpha = 1;
		pen.strokeStyle = paint.focus;
		pen.lineWidth = 2;
		const left = Math.max(gutter + 1, Math.min(x, end - 4));
		pen.strokeRect(left, 1, Math.max(3, Math.min(right, end - 1) - left), height - 2);
	},

	// Moves the window, so that its middle is at the pointer.
	listen() {
		const move = (event) => {
			const middle = this.time(event.offsetX), half = (view.to - view.from) / 2;
			view.show(middle - half, middle + half);
		};
		this.canvas.addEventListener('pointerdown', (event) => {
			this.canvas.setPointerCapture(event.pointerId);
			move(event);
		});
		this.canvas.addEventListener('pointermove', (event) => {
			if (event.buttons & 1)
				move(event);
		});
	},
};
