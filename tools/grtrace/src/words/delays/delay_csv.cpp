// SPDX-License-Identifier: GPL-2.0
#include "words/delays/delay_csv.h"

#include <string_view>

#include "words/columns/csv_line.h"

namespace grtrace {

void DelayCsv::print_header(fmt::memory_buffer &out)
{
	static constexpr std::string_view names =
		"dev,ring,victim_tgid,victim,kind,culprit_tgid,culprit,ns,"
		"jobs,touched,ctx,seqno,submit_ts,wait,part,culprit_ctx,"
		"culprit_seqno,how\n";

	out.append(names.data(), names.data() + names.size());
}

static void put_ring(CsvLine &line, const Ring &ring, uint32_t id)
{
	if (ring.known) {
		line.text(ring.device_name);
		line.text(ring.name);
	} else {
		line.na();
		line.number(id);
	}
}

static void put_process(CsvLine &line, const DelayProcess &process)
{
	line.number(process.tgid);
	if (process.comm.empty())
		line.na();
	else
		line.text(process.comm);
}

static void put_culprit(CsvLine &line, const DelayCell &cell)
{
	static constexpr std::string_view kinds[] = {"process", "itself", "unknown", "others",
						     "nobody"};

	line.text(kinds[static_cast<size_t>(cell.kind)]);
	if (cell.kind == Culprit::process)
		return put_process(line, cell.culprit);
	if (cell.kind == Culprit::itself)
		return put_process(line, cell.victim);
	line.na();
	line.na();
}

static void put_proof(CsvLine &line, const DelayProof &proof)
{
	line.number(proof.ctx);
	line.number(proof.seqno);
	line.number(proof.submit_ts);
	line.number(proof.wait);
	line.number(proof.part);
	if (!proof.culprit_ctx && !proof.culprit_seqno) {
		line.na();
		line.na();
		line.na();
		return;
	}
	line.number(proof.culprit_ctx);
	line.number(proof.culprit_seqno);
	line.text(proof.blocked ? "blocked" : "ran");
}

void DelayCsv::print(fmt::memory_buffer &out, const DelayCell &cell, const Session &session)
{
	CsvLine line(out);

	put_ring(line, session.rings.find(cell.ring), cell.ring);
	put_process(line, cell.victim);
	put_culprit(line, cell);
	line.number(cell.ns);
	line.number(cell.jobs);
	line.number(int(cell.touched));
	if (cell.proofs.empty())
		for (int i = 0; i < 8; i++)
			line.na();
	else
		put_proof(line, cell.proofs[0]);
	line.end();
}

} // namespace grtrace
