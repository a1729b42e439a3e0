// SPDX-License-Identifier: GPL-2.0
//
// Captures, their rings and their jobs, decoded. A job is a row: an index into
// arrays of one capture. Times are ns since the capture's first one; the page's
// time is that plus capture.offset.

const steps = ['submit', 'blocked', 'pick', 'commit', 'start', 'end', 'complete'];
const [SUBMIT, BLOCKED, PICK, COMMIT, START, END, COMPLETE] = steps.keys();
const flagBits = {
	startInferred: 1 << 7, timeInferred: 1 << 8, failed: 1 << 9, preempted: 1 << 10,
	cut: 1 << 11, touched: 1 << 12, slowQueue: 1 << 13, slowExec: 1 << 14,
};
const labelShift = 15, errorBit = 1 << 18, waitsBit = 1 << 19, weightBit = 1 << 20;
const labelOf = (shape) => (shape >> labelShift & 7) | (shape >> 18 & 8);
const linkKinds = ['depends', 'blocked', 'waited'];

// Columns of a level: busy by slot, then these.
const slots = 8;
const QUEUED = 8, JOBS = 9, FAILED = 10, columns = 11;
const WAITS = columns; // and the next ones: see sumWaits()

const head = JSON.parse(document.getElementById('head').textContent);

class Level {
	constructor([shift, begin, size], numbers) {
		this.ns = 2 ** shift;
		this.begin = begin;
		this.size = size;
		this.sums = [];
		for (let i = 0; i < columns; i++)
			this.sums.push(this.column(numbers));
	}

	// A zero is followed by the number of further ones.
	column(numbers) {
		const sums = new Float64Array(this.size);

		for (let i = 0; i < this.size; i++) {
			sums[i] = numbers.next();
			if (!sums[i])
				i += numbers.next();
		}
		return sums;
	}
}

// The times of rows in order, and how many jobs these stand for up to each.
class Moments {
	constructor(capture, rows, times) {
		this.times = Float64Array.from(rows, (row) => times[row]);
		if (capture.weights) {
			rows.sort((a, b) => times[a] - times[b]);
			this.sums = new Float64Array(rows.length + 1);
			rows.forEach((row, i) => { this.sums[i + 1] = this.sums[i] + capture.weight(row); });
		}
		this.times.sort();
	}

	get length() {
		return this.times.length;
	}

	// Jobs of the first so many moments.
	jobs(count) {
		return this.sums ? this.sums[count] : count;
	}

	// So many moments are not later.
	until(time) {
		return above(this.times, time, 0, this.length);
	}
}

class Ring {
	constructor(capture, told, numbers) {
		Object.assign(this, told);
		this.capture = capture;
		this.levels = told.levels.map((level) => new Level(level, numbers));
		let first = capture.placed;
		this.lanes = told.lanes.map((count) => {
			const lane = {first, end: first + count};
			first += count;
			return lane;
		});
		this.first = capture.placed;
		this.end = first;
		capture.placed = first;
		this.most = this.mostBusy();
	}

	// Jobs at once, of which there are more in at most one bucket of 50: the
	// height of its line. A few more jobs at once must not make all others small.
	mostBusy() {
		const level = this.levels[0];
		const busy = new Float64Array(level?.size ?? 0);

		for (let i = 0; i < busy.length; i++)
			for (let slot = 0; slot < slots; slot++)
				busy[i] += level.sums[slot][i] / level.ns;
		return Math.max(1, busy.sort()[Math.floor(busy.length * 0.98)] ?? 1);
	}

	// When jobs came and when they went, for the queue depth.
	flow() {
		if (!this.came) {
			const {submit, out} = this.capture;
			const came = [], went = [];

			for (let row = this.first; row < this.end; row++) {
				if (Number.isNaN(submit[row]))
					continue;
				came.push(row);
				if (!Number.isNaN(out[row]))
					went.push(row);
			}
			this.came = new Moments(this.capture, came, submit);
			this.went = new Moments(this.capture, went, out);
		}
		return [this.came, this.went];
	}
}

class Capture {
	constructor(told, number) {
		Object.assign(this, told);
		this.guilty = new Map(told.guilty); // by row: the task that its error names
		this.number = number;
		this.ready = false; // rows are decoded
		this.slots = Uint8Array.from(told.tasks, (task) => told.processes[task[2]][1]);
		this.placed = 0; // rows that have a ring
		const numbers = new Numbers(takePart(`${number}-series`));
		this.rings = told.rings.map((ring) => new Ring(this, ring, numbers));
	}

	// In slices, so that the page can be used meanwhile.
	*decodeRows() {
		const bytes = takePart(`${this.number}-rows`);
		const count = this.rows;
		const numbers = new Numbers(bytes);
		const seqnos = new Float64Array(this.contexts.length);

		this.bytes = bytes;
		for (const name of ['from', 'to', 'submit', 'out', 'seqno'])
			this[name] = new Float64Array(count);
		for (const name of ['shape', 'context', 'task', 'details'])
			this[name] = new Uint32Array(count);
		for (const ring of this.rings)
			for (const lane of ring.lanes) {
				let at = 0;
				for (let row = lane.first; row < lane.end; row++) {
					at = this.decodeRow(row, at, numbers, seqnos);
					if (row % 65536 === 65535)
						yield;
				}
			}
		yield;
		this.decodeLinks();
		findBlocked(this);
		findWaiters(this);
		this.ready = true;
	}

	// These are computed from the rows later.
	*sumUp() {
		for (const ring of this.rings)
			yield *sumWaits(ring);
	}

	decodeRow(row, before, numbers, seqnos) {
		const from = before + numbers.next();
		const to = from + numbers.next();
		const shape = numbers.next();
		const context = numbers.next();

		this.from[row] = from;
		this.to[row] = to;
		this.shape[row] = shape;
		this.context[row] = context;
		this.seqno[row] = seqnos[context] += numbers.signed();
		this.task[row] = numbers.next();
		this.details[row] = numbers.at;
		const times = this.decodeTimes(row, numbers);
		this.submit[row] = times[SUBMIT];
		this.out[row] = shape & (1 << END) ? times[END] : times[COMPLETE];
		if (shape & errorBit)
			numbers.next();
		if (shape & waitsBit) {
			numbers.next();
			numbers.next();
		}
		if (shape & weightBit)
			(this.weights ??= new Float64Array(this.rows).fill(1))[row] = numbers.next();
		return from;
	}

	// Returns for how many jobs it stands.
	weight(row) {
		return this.weights?.[row] ?? 1;
	}

	// NaN for what no record told. The array is used again by the next call.
	decodeTimes(row, numbers) {
		const shape = this.shape[row];
		const times = this.times ??= new Float64Array(steps.length);
		let at = this.from[row];

		times.fill(NaN);
		for (const step of [START, COMMIT, PICK, BLOCKED, SUBMIT])
			if (shape & (1 << step))
				times[step] = at += numbers.signed();
		at = this.to[row];
		for (const step of [END, COMPLETE])
			if (shape & (1 << step))
				times[step] = at += numbers.signed();
		return times;
	}

	// All there is about a job.
	job(row) {
		const numbers = new Numbers(this.bytes, this.details[row]);
		const shape = this.shape[row];
		const job = {times: Array.from(this.decodeTimes(row, numbers))};

		job.error = shape & errorBit ? numbers.signed() : 0;
		job.waits = shape & waitsBit ? numbers.next() : 0;
		job.waitNs = job.waits ? numbers.next() : 0;
		job.weight = shape & weightBit ? numbers.next() : 1;
		for (const [name, bit] of Object.entries(flagBits))
			job[name] = Boolean(shape & bit);
		return job;
	}

	decodeLinks() {
		const numbers = new Numbers(takePart(`${this.number}-links`));
		let row = 0;

		this.linksOf = new Map(); // by row, of the job itself
		this.dependents = new Map(); // by row, of jobs that depend on it
		for (let i = 0; i < this.links; i++) {
			row += numbers.next();
			const link = {row, kind: linkKinds[numbers.next()], other: -1};
			this.decodeLink(link, numbers);
			append(this.linksOf, row, link);
			if (link.other >= 0)
				append(this.dependents, link.other, link);
		}
	}

	decodeLink(link, numbers) {
		const other = numbers.next();

		if (link.kind === 'waited') {
			link.task = other;
		} else if (other) {
			link.other = other - 1;
		} else {
			link.context = numbers.next();
			link.seqno = numbers.next();
		}
		if (link.kind !== 'depends') {
			link.from = numbers.signed();
			link.to = link.from + numbers.signed();
		}
	}

	slot(row) {
		return this.slots[this.task[row]];
	}

	label(row) {
		return head.labels[labelOf(this.shape[row])];
	}

	key(row) {
		return `${this.contexts[this.context[row]]}:${this.seqno[row]}`;
	}

	taskName(task) {
		const [pid, tgid, , comm] = this.tasks[task];
		if (!task)
			return 'not recorded';
		return `${comm || '?'} ${pid}${pid === tgid ? '' : ` of ${tgid}`}`;
	}

	ringOf(row) {
		return this.rings.find((ring) => row >= ring.first && row < ring.end);
	}

	laneOf(row) {
		return this.ringOf(row).lanes.findIndex((lane) => row >= lane.first && row < lane.end);
	}
}

function append(map, key, value) {
	if (map.has(key))
		map.get(key).push(value);
	else
		map.set(key, [value]);
}

// First index in first..end of which values[index] > limit, or end.
function above(values, limit, first, end) {
	while (first < end) {
		const middle = (first + end) >> 1;
		if (values[middle] > limit)
			end = middle;
		else
			first = middle + 1;
	}
	return first;
}

const captures = head.captures.map((told, number) => new Capture(told, number));
