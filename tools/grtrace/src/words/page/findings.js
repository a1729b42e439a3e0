// SPDX-License-Identifier: GPL-2.0
//
// The findings, as links; and the address of a view: #from=NS&to=NS&job=CTX:SEQNO, where
// times are the page's, capture=N if it is not the first, and range=NS-NS if one is chosen.

const address = {
	timer: 0,
	known: '',

	of({from, to, job, capture = 0, chosen}) {
		const words = [`from=${Math.round(from)}`, `to=${Math.round(to)}`];

		if (job)
			words.push(`job=${job}`);
		if (capture)
			words.push(`capture=${capture}`);
		if (chosen)
			words.push(`range=${Math.round(chosen.from)}~${Math.round(chosen.to)}`);
		return `#${words.join('&')}`;
	},

	here() {
		const {selected} = timeline;

		return this.of({
			from: view.from, to: view.to, chosen: range.chosen,
			job: selected?.capture.key(selected.row),
			capture: selected ? captures.indexOf(selected.capture) : 0,
		});
	},

	// Soon: a drag changes the view with each frame.
	note() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			const here = this.here();

			if (here === this.known)
				return;
			this.known = here;
			history.replaceState(null, '', here);
		}, 200);
	},

	rowOf(capture, key) {
		for (let row = 0; row < (capture?.rows ?? 0); row++)
			if (capture.key(row) === key)
				return row;
		return -1;
	},

	// Shows what the address says; jobs are known only when they are decoded.
	go() {
		const told = new URLSearchParams(location.hash.slice(1));
		const from = Number(told.get('from')), to = Number(told.get('to'));
		const job = told.get('job');

		if (!(to > from))
			return;
		view.show(from, to);
		const [begin, end] = (told.get('range') ?? '').split('~').map(Number);
		range.choose(end > begin ? {from: begin, to: end} : null);
		if (!job || document.body.dataset.rows !== 'ready')
			return;
		const capture = captures[Number(told.get('capture') ?? 0)];
		const row = this.rowOf(capture, job);
		if (row >= 0)
			page.show({capture, row});
	},
};

function findingItem(capture, [title, place, text, job, from, to]) {
	const item = make('li');
	const link = make('a', title);
	const air = Math.max(1000, (to - from) / 10);

	link.href = address.of({
		from: capture.offset + from - air, to: capture.offset + to + air,
		job, capture: captures.indexOf(capture),
	});
	// The same link twice changes no address.
	link.addEventListener('click', () => setTimeout(() => address.go()));
	range.findings.push({item, from: capture.offset + from, to: capture.offset + to});
	item.append(link, ' ', make('span', place, 'dim'), ' ', text);
	return item;
}

function fillFindings() {
	const section = element('findings');
	const list = section.querySelector('ol');

	for (const capture of captures)
		list.append(...capture.findings.map((finding) => findingItem(capture, finding)));
	section.hidden = !list.children.length;
}
