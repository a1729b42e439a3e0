// SPDX-License-Identifier: GPL-2.0
//
// All that is known of one job, beside the timeline. Words of a capture become
// text and never markup.

function make(tag, words = '', className = '') {
	const element = document.createElement(tag);

	element.textContent = words;
	if (className)
		element.className = className;
	return element;
}

function makeRow(...cells) {
	const row = make('tr');

	cells.forEach((cell, i) => {
		const element = make(i ? 'td' : 'th');
		element.append(cell);
		row.append(element);
	});
	return row;
}

function makeLink(words, act) {
	const link = make('button', words, 'link');

	link.type = 'button';
	link.addEventListener('click', act);
	return link;
}

const details = {
	panel: document.getElementById('details'),

	hide() {
		this.panel.hidden = true;
		this.panel.replaceChildren();
	},

	show(capture, row) {
		const job = capture.job(row);
		const close = make('button', '×', 'close');

		close.title = 'Close (Esc)';
		close.setAttribute('aria-label', 'Close');
		close.addEventListener('click', () => page.select(null));
		this.panel.replaceChildren(close, make('h3', capture.key(row)),
			this.facts(capture, row, job), make('h4', 'Times'), this.times(capture, job),
			make('h4', 'Durations'), this.durations(job), ...this.links(capture, row));
		this.panel.querySelector('h3').id = 'job';
		this.panel.hidden = false;
	},

	facts(capture, row, job) {
		const table = make('table');
		const ring = capture.ringOf(row);
		const marks = [];

		table.append(makeRow('ring', `${ring.title} (${ring.engine})`));
		table.append(makeRow('submitted by', capture.taskName(capture.task[row])));
		table.append(makeRow('label', capture.label(row)));
		if (job.failed)
			table.append(makeRow('error', make('span', String(job.error), 'failed')));
		if (capture.guilty.has(row))
			table.append(makeRow('blamed', capture.guilty.get(row)));
		if (job.weight !== 1)
			table.append(makeRow('stands for', `${job.weight} jobs (sampled)`));
		for (const [is, words] of [
			[job.preempted, 'preempted while it ran'],
			[job.touched, 'in flight when records were lost'],
			[job.cut, 'cut by a change of sampling'],
			[job.slowQueue, 'marked by the kernel: slow in the queue'],
			[job.slowExec, 'marked by the kernel: slow execution']])
			if (is)
				marks.push(words);
		if (marks.length)
			table.append(makeRow('note', marks.join('; ')));
		if (captures.length > 1)
			table.append(makeRow('capture', capture.name));
		return table;
	},

	// Each step with its time, the time since the step before, and where it is from.
	times(capture, job) {
		const table = make('table', '', 'times');
		let before = NaN;

		steps.forEach((step, i) => {
			const ns = job.times[i];
			const known = !Number.isNaN(ns);
			const cells = [step.toUpperCase()];

			cells.push(known ? moment(capture, ns) : 'NA');
			cells.push(known && !Number.isNaN(before) ? signed(ns - before) : '');
			cells.push(make('span', this.sourceOf(job, i, known), 'dim'));
			table.append(makeRow(...cells));
			if (known)
				before = ns;
		});
		return table;
	},

	sourceOf(job, step, known) {
		if (!known)
			return 'not recorded';
		if (step === START && job.startInferred)
			return 'inferred';
		return job.timeInferred ? 'recorded, perhaps derived' : 'recorded';
	},

	durations(job) {
		const table = make('table');
		const [submit, blocked, pick, commit, start, end, complete] = job.times;

		for (const [name, from, to] of [
			['queue (SUBMIT to START)', submit, start],
			['blocked (BLOCKED to PICK)', blocked, pick],
			['Q2I (SUBMIT to PICK)', submit, pick],
			['I2D (PICK to COMMIT)', pick, commit],
			['D2B (COMMIT to START)', Number.isNaN(commit) ? pick : commit, start],
			['B2E (START to END)', start, end],
			['E2C (END to COMPLETE)', end, complete],
			['Q2C (SUBMIT to COMPLETE)', submit, complete]])
			if (to >= from)
				table.append(makeRow(name, duration(to - from)));
		if (job.waits)
			table.append(makeRow(`waits of tasks: ${job.waits}`, duration(job.waitNs)));
		return table;
	},

	links(capture, row) {
		const parts = [];
		const own = capture.linksOf.get(row) ?? [];
		const add = (title, links, print) => {
			if (!links.length)
				return;
			const table = make('table');
			for (const link of links.slice(0, 50))
				table.append(print(link));
			if (links.length > 50)
				table.append(makeRow(`and ${links.length - 50} more`));
			parts.push(make('h4', title), table);
		};

		add('Depends on', own.filter((link) => link.kind === 'depends'),
			(link) => makeRow(this.other(capture, link.other, link)));
		add('Was blocked by', own.filter((link) => link.kind === 'blocked'),
			(link) => makeRow(this.other(capture, link.other, link), duration(link.to - link.from)));
		add('Jobs that depend on it',
			(capture.dependents.get(row) ?? []).filter((link) => link.kind === 'depends'),
			(link) => makeRow(this.other(capture, link.row)));
		add('Waited for by', own.filter((link) => link.kind === 'waited'),
			(link) => makeRow(capture.taskName(link.task), duration(link.to - link.from)));
		return parts;
	},

	other(capture, row, link) {
		if (row < 0)
			return `fence ${capture.contexts[link.context]}:${link.seqno}, of no job here`;
		const ring = capture.ringOf(row);
		return makeLink(`${capture.key(row)} on ${ring.title}`, () => page.goTo({capture, row}));
	},
};

function signed(ns) {
	return ns < 0 ? `-${duration(-ns)}` : `+${duration(ns)}`;
}
