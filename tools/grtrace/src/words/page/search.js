// SPDX-License-Identifier: GPL-2.0
//
// Search: which jobs match, and where the next one is. "5:17" is a job, a number
// a pid or a context, other words are looked for in comm, label and ring.

const search = {
	text: '',
	matched: null, // by capture: a byte for each row
	count: 0,

	matches(capture) {
		return this.matched?.[capture.number];
	},

	run(text) {
		this.text = text.trim().toLowerCase();
		this.matched = null;
		this.count = 0;
		this.pixels = null;
		if (!this.text)
			return;
		this.matched = captures.map((capture) => this.find(capture));
	},

	find(capture) {
		const matched = new Uint8Array(capture.rows);
		if (!capture.ready)
			return matched;
		const test = this.test(capture);

		for (let row = 0; row < capture.rows; row++)
			if (test(row)) {
				matched[row] = 1;
				this.count++;
			}
		return matched;
	},

	test(capture) {
		const {text} = this;
		const key = /^(\d+):(\d+)$/.exec(text);
		const number = /^\d+$/.test(text);
		const wanted = (word) => !number && word.toLowerCase().includes(text);

		if (key) {
			const context = capture.contexts.indexOf(key[1]);
			const seqno = Number(key[2]);
			return (row) => capture.context[row] === context && capture.seqno[row] === seqno;
		}
		const tasks = capture.tasks.map(([pid, tgid, , comm], i) => i > 0 &&
			(wanted(comm) || (number && (String(pid) === text || String(tgid) === text))));
		const contexts = capture.contexts.map((id) => number && id === text);
		const labels = head.labels.map(wanted);
		const rings = capture.rings.filter((ring) => wanted(ring.title));
		return (row) => tasks[capture.task[row]] || contexts[capture.context[row]] ||
			labels[labelOf(capture.shape[row])] ||
			rings.some((ring) => row >= ring.first && row < ring.end);
	},

	// The match before or after a time; nothing is sorted, so a search is one pass.
	next(direction, {capture: there, row: here}) {
		const now = there.offset + there.from[here];
		const rank = (capture, row) => [capture.offset + capture.from[row], capture.number, row];
		const origin = [now, there.number, here];
		let best = null, wrapped = null;

		for (const capture of captures) {
			const matched = this.matches(capture);
			for (let row = 0; row < (matched?.length ?? 0); row++) {
				if (!matched[row])
					continue;
				const key = rank(capture, row);
				const side = direction * compare(key, origin);
				if (side > 0 && (!best || direction * compare(key, best) < 0))
					best = key;
				if (!wrapped || direction * compare(key, wrapped) < 0)
					wrapped = key;
			}
		}
		const found = best ?? wrapped;
		return found && {capture: captures[found[1]], row: found[2]};
	},

	// Where matches are on the overview.
	drawMatches(pen, height) {
		if (!this.matched)
			return;
		if (this.pixels?.length !== overview.width) {
			this.pixels = new Uint8Array(overview.width);
			for (const capture of captures) {
				const matched = this.matches(capture);
				for (let row = 0; row < matched.length; row++)
					if (matched[row])
						this.pixels[Math.floor(overview.x(capture.offset + capture.from[row])) - gutter] = 1;
			}
		}
		pen.fillStyle = paint.match;
		this.pixels.forEach((is, x) => {
			if (is)
				pen.fillRect(gutter + x, height - 6, 1.5, 6);
		});
	},
};

function compare(a, b) {
	return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
