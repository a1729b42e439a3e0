// SPDX-License-Identifier: GPL-2.0
#include "words/findings/finding_json.h"

#include "lib/text/json_line.h"
#include "words/findings/finding_text.h"

namespace grtrace {

static void put_job(JsonLine &line, const char *key, const JobName &job)
{
	if (job == JobName())
		line.null(key);
	else
		line.text(key, FindingText::job(job));
}

static void put_finding(fmt::memory_buffer &out, const Findings &findings, const Capture &capture,
			size_t number)
{
	const Session &session = capture.session();
	const Finding &finding = findings.all()[number];
	const FindingText text(findings, capture);
	JsonLine line(out);
	std::string chain;

	for (const JobName &job : finding.chain)
		chain += (chain.empty() ? "" : " ") + FindingText::job(job);
	line.text("row", "finding");
	line.number("rank", number + 1);
	line.text("kind", cause_word(finding.kind));
	line.number("ns", finding.ns);
	line.decimal("percent", 100.0 * static_cast<double>(finding.ns) /
					static_cast<double>(findings.waited_ns()));
	line.number("jobs", finding.jobs);
	line.number("rings", finding.rings.size());
	if (finding.ring == GRTRACE_RING_NONE)
		line.null("ring");
	else
		line.text("ring", session.ring_title(finding.ring));
	if (finding.process < ProcessList::nr_special) {
		line.null("tgid");
		line.null("comm");
	} else {
		line.number("tgid", findings.process(finding.process).tgid);
		line.text("comm", findings.process(finding.process).comm);
	}
	line.number("from_ts", finding.from);
	line.number("to_ts", finding.to);
	put_job(line, "root", finding.root);
	line.number("root_ns", finding.root_ns);
	// The job that waited first, the root last.
	line.text("chain", chain);
	line.text("title", FindingText::title(finding));
	line.text("text", text.sentences(finding));
	line.end();
}

void print_findings_json(fmt::memory_buffer &out, const Findings &findings, const Capture &capture)
{
	{
		JsonLine line(out);

		line.text("row", "waiting");
		line.number("schema", 1);
		line.text("capture", capture.name());
		line.number("waited_ns", findings.waited_ns());
		line.number("jobs", findings.waited_jobs());
		line.number("never_began", findings.never_began());
		line.number("unknown", findings.unknown());
		line.number("rest_ns", findings.rest_ns());
		line.end();
	}
	for (size_t i = 0; i < findings.all().size(); i++)
		put_finding(out, findings, capture, i);
	for (size_t kind = 0; kind < nr_cause_kinds; kind++) {
		if (!findings.rest()[kind])
			continue;
		JsonLine line(out);

		line.text("row", "rest");
		line.text("kind", cause_word(CauseKind(kind)));
		line.number("ns", findings.rest()[kind]);
		line.end();
	}
	JsonLine line(out);

	line.text("row", "end");
	line.number("findings", findings.all().size());
	line.end();
}

} // namespace grtrace
