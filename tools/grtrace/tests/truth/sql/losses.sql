-- SPDX-License-Identifier: GPL-2.0
--
-- Where records are not there: each LOST; each jump of cseq on a CPU that no LOST
-- explains: 1 ns behind the record before it (or from the start of the session, if
-- nothing stands before it) to the record after it; and numbers between two events, in
-- the same time, less those that jumps around them explain.
CREATE TABLE hole AS
WITH step AS (
  SELECT n, cpu, ts, type, cseq, events, notes, first_ts, last_ts,
    coalesce(lag(cseq + iif(type = 'lost', events + notes, 1)) OVER c, 0) AS next_cseq,
    lag(ts) OVER c AS ts_before,
    coalesce(max(gseq) OVER (c ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), -1) AS gseq_before,
    coalesce(min(gseq) OVER (c ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING), 1 << 62) AS gseq_after
  FROM event WHERE cpu IS NOT NULL AND cseq IS NOT NULL
  WINDOW c AS (PARTITION BY cpu ORDER BY cseq, type = 'lost' DESC)),
jump AS (
  SELECT n AS at, cseq - next_cseq AS records, gseq_before, gseq_after FROM step WHERE cseq > next_cseq),
gap AS (
  SELECT n, ts, lag(ts) OVER o AS ts_before, gseq, lag(gseq) OVER o AS gseq_before
  FROM event WHERE gseq IS NOT NULL WINDOW o AS (ORDER BY n)),
common AS (  -- numbers of a gap that are in the range of a jump
  SELECT gap.n, jump.at, jump.records,
    min(gap.gseq, jump.gseq_after) - max(gap.gseq_before, jump.gseq_before) - 1 AS numbers
  FROM gap JOIN jump ON min(gap.gseq, jump.gseq_after) - max(gap.gseq_before, jump.gseq_before) > 1
  WHERE gap.gseq > gap.gseq_before + 1),
explained AS (  -- the first ones, as many as the jump has records
  SELECT n, max(min(numbers, records - coalesce(sum(numbers) OVER (
    PARTITION BY at ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)), 0) AS numbers
  FROM common),
unseen AS (
  SELECT n, ts, ts_before, gseq - gseq_before - 1 -
    coalesce((SELECT sum(numbers) FROM explained WHERE explained.n = gap.n), 0) AS records
  FROM gap WHERE gseq > gseq_before + 1)
SELECT n, cpu, events + notes AS records, events, notes,
  first_ts, last_ts, 1 AS is_told
FROM step WHERE type = 'lost'
UNION ALL
SELECT n, cpu, records, 0, 0, begin, max(begin, iif(type = 'lost', first_ts, ts)), 0
FROM (
  SELECT *, cseq - next_cseq AS records,
    coalesce(ts_before + 1, (SELECT min(ts - time) FROM event)) AS begin
  FROM step WHERE cseq > next_cseq)
UNION ALL
SELECT n, NULL, records, 0, 0, ts_before + 1, max(ts_before + 1, ts), 0
FROM unseen WHERE records > 0;
