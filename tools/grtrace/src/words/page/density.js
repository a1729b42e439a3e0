// SPDX-License-Identifier: GPL-2.0
//
// A ring from afar: how busy it was in each pixel, by process. The level whose
// buckets are just narrower than a pixel, so that a pixel adds up a few.

// The coarsest level that is fine enough, or the finest there is.
function levelFor(ring) {
	const pixel = view.nsPerPixel();

	for (let i = ring.levels.length - 1; i >= 0; i--)
		if (ring.levels[i].ns <= pixel)
			return ring.levels[i];
	return ring.levels[0];
}

function isTooCoarse(ring) {
	return !ring.levels.length || ring.levels[0].ns > view.nsPerPixel();
}

// Calls visit(x, share), share(column): ns by ns, of the level in the pixel.
function forEachPixel(ring, level, visit) {
	if (!level)
		return;
	const pixel = view.nsPerPixel();
	const begin = ring.capture.offset + level.begin;
	const end = begin + level.size * level.ns;
	const firstX = Math.max(0, Math.floor((begin - view.from) / pixel));
	const lastX = Math.min(view.width, Math.ceil((end - view.from) / pixel));
	let first = 0, last = 0;
	const share = (column) => {
		const sums = level.sums[column];
		let sum = 0;
		for (let i = first; i < last; i++)
			sum += sums[i];
		return sum / ((last - first) * level.ns);
	};

	for (let x = firstX; x < lastX; x++) {
		const time = view.from + x * pixel - begin;
		first = Math.max(0, Math.floor(time / level.ns));
		last = Math.min(level.size, Math.max(first + 1, Math.floor((time + pixel) / level.ns)));
		if (first < last)
			visit(x, share, last - first);
	}
}

function drawDensity(pen, ring, top, height) {
	const scale = height / ring.most;
	let crossed = -Infinity;
	const failed = [];

	forEachPixel(ring, levelFor(ring), (x, share) => {
		let bottom = top + height;
		for (let slot = 0; slot < slots; slot++) {
			let part = share(slot) * scale;
			if (!part)
				continue;
			// One short job is seen, too.
			part = Math.min(Math.max(part, bottom === top + height ? 1 : 0), bottom - top);
			pen.fillStyle = colourOf(ring.capture, slot);
			pen.fillRect(gutter + x, bottom - part, 1, part);
			bottom -= part;
		}
		// A job that took no time is seen, too: a virtual GPU tells when it was done only.
		if (bottom === top + height && share(JOBS)) {
			pen.fillStyle = paint.dim;
			pen.fillRect(gutter + x, bottom - 5, 1, 5);
		}
		if (share(FAILED))
			failed.push(gutter + x);
	});
	// Above what is busy; between crosses, ticks.
	for (const x of failed) {
		pen.fillStyle = paint.failed;
		pen.fillRect(x, top - 3, 1, 4);
		if (x - crossed >= 9)
			drawCross(pen, (crossed = x) + 4, top);
	}
}

// Of each pixel, jobs that were on the ring or queued for it.
function coarseDepth(ring) {
	const depth = new Float32Array(view.width);

	forEachPixel(ring, levelFor(ring), (x, share) => {
		let sum = share(QUEUED);
		for (let slot = 0; slot < slots; slot++)
			sum += share(slot);
		depth[x] = sum;
	});
	return depth;
}

// The most there was in each pixel, counted from the jobs themselves.
function exactDepth(ring) {
	const [came, went] = ring.flow();
	const offset = ring.capture.offset;
	const depth = new Float32Array(view.width);
	const start = view.time(gutter) - offset;
	let in_ = came.until(start), out = went.until(start);
	const now = () => came.jobs(in_) - went.jobs(out);

	for (let x = 0; x < view.width; x++) {
		const end = view.time(gutter + x + 1) - offset;
		let most = now();
		while (in_ < came.length && came.times[in_] <= end) {
			while (out < went.length && went.times[out] <= came.times[in_])
				out++;
			in_++;
			most = Math.max(most, now());
		}
		while (out < went.length && went.times[out] <= end)
			out++;
		depth[x] = most;
	}
	return depth;
}

function drawDepth(pen, ring, top, height) {
	const {capture} = ring;
	const exact = isTooCoarse(ring) && capture.ready && !capture.dropped;
	const depth = exact ? exactDepth(ring) : coarseDepth(ring);
	const most = depth.reduce((a, b) => Math.max(a, b), 0);

	if (!most)
		return;
	pen.fillStyle = paint.depth;
	fillSteps(pen, gutter, view.width, top + height, height, (x) => depth[x] / most);
	pen.fillStyle = paint.dim;
	pen.font = '10px system-ui, "DejaVu Sans", sans-serif';
	const average = exact ? '' : ' (averages)';
	pen.textAlign = 'right';
	const words = `depth to ${most < 10 && !exact ? most.toFixed(1) : thousands(most)}${average}`;
	pen.fillText(fitText(pen, words, gutter - 12), gutter - 8, top + height / 2);
	pen.textAlign = 'left';
	pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
}
