// SPDX-License-Identifier: GPL-2.0
//
// What stands below the timeline: histograms of the stages of each ring, and how
// the report ends.

const stageNames = {
	Q2I: 'SUBMIT to PICK', I2D: 'PICK to COMMIT', D2B: 'COMMIT to START', B2E: 'START to END',
	E2C: 'END to COMPLETE', Q2C: 'SUBMIT to COMPLETE', C2W: 'COMPLETE to waking',
};

// Buckets are powers of two: below 1 us, 1 to 2, 2 to 4 ...
function bound(bucket) {
	return bucket ? duration(1000 * 2 ** (bucket - 1)).replace(/\.000/, '') : '0';
}

function drawHistogram(canvas, counts) {
	const width = canvas.clientWidth, height = 70, foot = 16;
	const pen = penOf(canvas, width, height);
	const last = counts.length - 1;
	const first = Math.max(0, Math.min(counts.findIndex((count) => count > 0), last - 7));
	const most = counts.reduce((a, b) => Math.max(a, b), 1);
	const step = width / (last - first + 1);
	let free = 0; // from here on no label stands

	pen.font = '10px system-ui, "DejaVu Sans", sans-serif';
	for (let i = first; i <= last; i++) {
		const x = (i - first) * step;
		const high = counts[i] ? Math.max(1, (height - foot - 2) * counts[i] / most) : 0;
		pen.fillStyle = paint.processes[0];
		pen.fillRect(x + 1, height - foot - high, Math.max(1, step - 2), high);
		const end = x + 1 + pen.measureText(bound(i)).width;
		if (x >= free && end <= width) {
			pen.fillStyle = paint.dim;
			pen.fillText(bound(i), x + 1, height - 6);
			free = end + 6;
		}
	}
	canvas.onpointermove = (event) => {
		const i = first + Math.floor(event.offsetX / step);
		page.tell(event, `${bound(i)} to ${bound(i + 1)}: ${thousands(counts[i] ?? 0)}`);
	};
	canvas.onpointerleave = (event) => page.tell(event, '');
}

class StageCard {
	constructor(capture, ring) {
		const names = Object.keys(ring.stages);

		this.ring = ring;
		this.element = make('div', '', 'card');
		this.choice = make('select');
		for (const name of names) {
			const option = make('option', `${name}: ${stageNames[name]}`);
			option.value = name;
			this.choice.append(option);
		}
		this.choice.setAttribute('aria-label', 'Stage');
		this.choice.value = names.includes('B2E') ? 'B2E' : names[0];
		this.choice.addEventListener('change', () => this.draw());
		this.canvas = make('canvas');
		this.canvas.setAttribute('role', 'img');
		this.canvas.setAttribute('aria-label', `Histogram of ${ring.title}`);
		this.numbers = make('div', '', 'dim');
		const title = captures.length > 1 ? `${capture.name}: ${ring.title}` : ring.title;
		this.element.append(this.choice, make('h3', title), this.numbers, this.canvas);
	}

	draw() {
		const [count, min, average, max, p50, p90, p99, ...counts] = this.ring.stages[this.choice.value];

		this.numbers.textContent = `${thousands(count)} jobs; min ${duration(min)}, avg ${duration(average)}, ` +
			`p50 ${duration(p50)}, p90 ${duration(p90)}, p99 ${duration(p99)}, max ${duration(max)}`;
		drawHistogram(this.canvas, counts);
	}
}

const tables = {
	cards: [],

	fill() {
		const place = document.querySelector('#stages .cards');

		for (const capture of captures)
			for (const ring of capture.rings)
				if (Object.keys(ring.stages).length)
					this.cards.push(new StageCard(capture, ring));
		place.append(...this.cards.map((card) => card.element));
		document.getElementById('stages').hidden = !this.cards.length;
		for (const capture of captures) {
			const closing = document.getElementById('closing');
			if (captures.length > 1)
				closing.append(make('h3', capture.name));
			closing.append(make('pre', capture.closing));
		}
	},

	draw() {
		for (const card of this.cards)
			card.draw();
	},
};
