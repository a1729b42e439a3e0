// SPDX-License-Identifier: GPL-2.0
#include "words/findings/finding_json.h"

#include "read/capture/losses.h"
#include "words/columns/json_line.h"
#include "words/findings/finding_text.h"
#include "words/tracker/session_facts.h"

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
	line.decimal("percent", finding.ns ? 100.0 * static_cast<double>(finding.ns) /
						     static_cast<double>(findings.all_ns()) :
					     0);
	line.number("jobs", finding.jobs);
	line.number("rings", finding.rings.size());
	if (finding.ring == GRTRACE_RING_NONE)
		line.null("ring");
	else
		line.text("ring", ring_title(session, finding.ring));
	if (finding.process < ProcessList::nr_special) {
		line.null("tgid");
		line.null("comm");
	} else {
		line.number("tgid", findings.process(finding.process).tgid);
		const std::string &comm = findings.process(finding.process).comm;

		comm.empty() ? line.null("comm") : line.text("comm", comm);
	}
	line.number("from_ts", finding.from);
	line.number("to_ts", finding.to);
	put_job(line, "root", finding.root);
	line.number("root_ns", finding.root_ns);
	// The chain begins with the job that waited, and ends with the root.
	line.text("chain", chain);
	line.text("title", text.title(finding));
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
		line.number("woken_ns", findings.woken_ns());
		line.text("cpus_without_end", cpus_without_end(capture));
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

std::string_view findings_schema()
{
	return R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "A line of grtrace report --json",
  "description": "waiting, then findings by rank, then rest, then end. A finding of the kind not_over is about what was not over when the capture ended, from from_ts on; its ns is 0, and its jobs are those that wait behind it. The ns of findings and rest add up to waited_ns, of jobs, and woken_ns, of tasks that were woken late. Keys may be added; what a key means does not change while schema is 1.",
  "oneOf": [
    {"properties": {
      "row": {"const": "waiting"}, "schema": {"const": 1}, "capture": {"type": "string"},
      "waited_ns": {"type": "integer"}, "jobs": {"type": "integer"},
      "never_began": {"type": "integer"}, "unknown": {"type": "integer"},
      "rest_ns": {"type": "integer"}, "woken_ns": {"type": "integer"},
      "cpus_without_end": {"type": "string"}},
     "required": ["row", "schema", "capture", "waited_ns", "jobs", "never_began", "unknown", "rest_ns", "woken_ns", "cpus_without_end"]},
    {"properties": {
      "row": {"const": "finding"}, "rank": {"type": "integer"}, "kind": {"$ref": "#/$defs/kind"},
      "ns": {"type": "integer"}, "percent": {"type": "number"}, "jobs": {"type": "integer"},
      "rings": {"type": "integer"}, "ring": {"type": ["string", "null"]},
      "tgid": {"type": ["integer", "null"]}, "comm": {"type": ["string", "null"]},
      "from_ts": {"type": "integer"}, "to_ts": {"type": "integer"},
      "root": {"type": ["string", "null"]}, "root_ns": {"type": "integer"},
      "chain": {"type": "string"}, "title": {"type": "string"}, "text": {"type": "string"}},
     "required": ["row", "rank", "kind", "ns", "percent", "jobs", "rings", "ring", "tgid", "comm", "from_ts", "to_ts", "root", "root_ns", "chain", "title", "text"]},
    {"properties": {
      "row": {"const": "rest"}, "kind": {"$ref": "#/$defs/kind"}, "ns": {"type": "integer"}},
     "required": ["row", "kind", "ns"]},
    {"properties": {"row": {"const": "end"}, "findings": {"type": "integer"}},
     "required": ["row", "findings"]}
  ],
  "$defs": {"kind": {"enum": ["hang", "own_queue", "other_process", "unknown_process", "dependency", "host", "scheduler", "driver", "hardware", "completion", "late_submit", "late_wake", "reset", "fence", "loss", "unknown", "forgotten", "not_over"]}}
}
)";
}

} // namespace grtrace
