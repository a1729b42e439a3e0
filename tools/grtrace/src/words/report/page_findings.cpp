// SPDX-License-Identifier: GPL-2.0
#include "words/report/page_findings.h"

#include <algorithm>

#include "words/findings/finding_text.h"

namespace grtrace {

// A job that ran is seen where it did; who waited for it, from then on.
static void place(HtmlFinding &shown, const Finding &finding)
{
	shown.from = finding.from;
	shown.to = finding.to;
	if (finding.kind != CauseKind::hang)
		return;
	shown.from = finding.root_start;
	shown.to = std::max(finding.root_end, finding.to);
}

std::vector<HtmlFinding> page_findings(const Findings &findings, const Capture &capture)
{
	const FindingText text(findings, capture);
	std::vector<HtmlFinding> shown;

	for (const Finding &finding : findings.all()) {
		HtmlFinding &one = shown.emplace_back();

		one.title = text.title(finding);
		one.place = text.place(finding);
		one.text = text.sentences(finding);
		if (!(finding.root == JobName()))
			one.job = FindingText::job(finding.root);
		place(one, finding);
	}
	return shown;
}

} // namespace grtrace
