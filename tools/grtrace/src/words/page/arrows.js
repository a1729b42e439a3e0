// SPDX-License-Identifier: GPL-2.0
//
// Dependencies as arrows: from the end of a job to the begin of one that had to
// wait for it. Those of the selected job, and all when few enough are seen.

const mostArrows = 60;

function seenLinks(capture) {
	const found = [];
	let rows = 0;

	for (const ring of capture.rings)
		for (const lane of ring.lanes) {
			const [first, end] = seenRows(capture, lane);
			rows += end - first;
			if (rows > 4000)
				return [];
			for (let row = first; row < end; row++)
				for (const link of capture.linksOf.get(row) ?? [])
					if (link.kind === 'depends' && link.other >= 0)
						found.push(link);
		}
	return found.length > mostArrows ? [] : found;
}

function drawArrows(pen, capture, selected) {
	if (!capture.ready)
		return;
	for (const link of seenLinks(capture))
		drawArrow(pen, capture, link, 0.55, 1);
	if (!selected)
		return;
	const {row} = selected;
	const own = (capture.linksOf.get(row) ?? []).filter((link) => link.other >= 0);
	for (const link of [...own, ...(capture.dependents.get(row) ?? [])])
		if (link.kind === 'depends')
			drawArrow(pen, capture, link, 1, 2);
}

function drawArrow(pen, capture, link, alpha, width) {
	const x1 = view.x(capture.offset + capture.to[link.other]);
	const x2 = view.x(capture.offset + capture.from[link.row]);
	const y1 = timeline.middleOf(capture, link.other);
	const y2 = timeline.middleOf(capture, link.row);
	const right = gutter + view.width;

	if (Math.max(x1, x2) < gutter || Math.min(x1, x2) > right)
		return;
	const bend = Math.min(60, Math.max(12, Math.abs(x2 - x1) / 2));
	pen.globalAlpha = alpha;
	pen.strokeStyle = pen.fillStyle = paint.arrow;
	pen.lineWidth = width;
	pen.beginPath();
	pen.moveTo(x1, y1);
	pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2 - 6, y2);
	pen.stroke();
	pen.beginPath();
	pen.moveTo(x2, y2);
	pen.lineTo(x2 - 7, y2 - 3);
	pen.lineTo(x2 - 7, y2 + 3);
	pen.fill();
	pen.globalAlpha = 1;
}
