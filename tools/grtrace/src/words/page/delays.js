// SPDX-License-Identifier: GPL-2.0
//
// Who delayed whom: a row for each process whose jobs waited, a column for each
// that they waited for.

const culprits = ['process', 'itself', 'unknown', 'others', 'nobody'];
const culpritWords = {
	itself: 'itself', unknown: 'not known', others: 'others',
	nobody: 'no job (scheduler, driver, host)',
};
const mostVictims = 16, mostCulprits = 12;

// Sums by victim and culprit, of one ring or of all (-1).
function sumDelays(cells, ring) {
	const victims = new Map(), columns = new Map();

	for (const [id, kind, tgid, comm, byTgid, byComm, ns, jobs, touched] of cells) {
		if (ring >= 0 && id !== ring)
			continue;
		const victim = `${comm || '?'} ${tgid}`;
		const culprit = kind ? culpritWords[culprits[kind]] : `${byComm || '?'} ${byTgid}`;
		if (!victims.has(victim))
			victims.set(victim, {name: victim, ns: 0, cells: new Map()});
		if (!columns.has(culprit))
			columns.set(culprit, {name: culprit, ns: 0, last: kind > 0});
		const row = victims.get(victim);
		const cell = row.cells.get(culprit) ?? {ns: 0, jobs: 0, touched: 0};
		row.cells.set(culprit, {ns: cell.ns + ns, jobs: cell.jobs + jobs, touched: cell.touched | touched});
		row.ns += ns;
		columns.get(culprit).ns += ns;
	}
	const most = (map) => [...map.values()].sort((a, b) => b.ns - a.ns);
	return [most(victims), most(columns).sort((a, b) => a.last - b.last)];
}

class DelayMatrix {
	constructor(capture) {
		this.capture = capture;
		this.cells = capture.delays;
		this.element = make('div');
		this.choice = make('select');
		this.choice.setAttribute('aria-label', 'Ring');
		for (const [id, title] of [[-1, 'all rings'], ...capture.rings.map((ring) => [ring.id, ring.title])]) {
			const option = make('option', title);
			option.value = id;
			this.choice.append(option);
		}
		this.choice.addEventListener('change', () => this.fill());
		this.table = make('table');
		this.note = make('p', '', 'dim');
		if (captures.length > 1)
			this.element.append(make('h3', capture.name));
		this.element.append(this.choice, this.table, this.note);
		this.fill();
	}

	fill() {
		const [victims, columns] = sumDelays(this.cells, Number(this.choice.value));
		const shown = columns.slice(0, mostCulprits);
		const top = make('tr');
		let most = 1;

		for (const row of victims)
			for (const cell of row.cells.values())
				most = Math.max(most, cell.ns);
		top.append(make('th', 'jobs of … waited for'), ...shown.map(({name}) => make('th', name)), make('th', 'all'));
		this.table.replaceChildren(top, ...victims.slice(0, mostVictims).map((row) => this.row(row, shown, most)));
		const hidden = Math.max(0, victims.length - mostVictims) + Math.max(0, columns.length - mostCulprits);
		this.note.textContent = 'From SUBMIT to START, summed over jobs. ' +
			(hidden ? `The ${hidden} rows and columns with the least are in the text report and its CSV.` : '');
	}

	row(row, shown, most) {
		const line = make('tr');

		line.append(make('th', row.name));
		for (const {name} of shown) {
			const cell = row.cells.get(name);
			const element = make('td', cell ? duration(cell.ns) : '', 'number');
			if (cell) {
				element.title = `${thousands(cell.jobs)} jobs` +
					(cell.touched ? '; records were lost meanwhile' : '');
				element.style.background = `color-mix(in srgb, var(--heat) ${Math.round(70 * cell.ns / most)}%, transparent)`;
			}
			line.append(element);
		}
		line.append(make('td', duration(row.ns), 'number'));
		return line;
	}
}

function fillDelays() {
	const place = document.getElementById('delays');
	const told = captures.filter((capture) => capture.delays?.length);

	place.hidden = !told.length;
	range.matrices = told.map((capture) => new DelayMatrix(capture));
	place.append(...range.matrices.map(({element}) => element));
}
