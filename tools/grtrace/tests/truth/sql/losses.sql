-- SPDX-License-Identifier: GPL-2.0
--
-- Where records are not there: each LOST; each jump of cseq on a CPU that no LOST
-- explains: 1 ns behind the record before it (or from the start of the session, if
-- nothing stands before it) to the record after it; and numbers between two events, in
-- the same time, less those that jumps around them explain.
CREATE TABLE step AS
SELECT n, cpu, ts, type, cseq, events, notes, first_ts, last_ts,
  coalesce(lag(cseq + iif(type = 'lost', events + notes, 1)) OVER c, 0) AS next_cseq,
  lag(ts) OVER c AS ts_before,
  coalesce(max(gseq) OVER (c ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), -1) AS gseq_before,
  coalesce(min(gseq) OVER (c ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING), 1 << 62) AS gseq_after
FROM event WHERE cpu IS NOT NULL AND cseq IS NOT NULL
WINDOW c AS (PARTITION BY cpu ORDER BY cseq, type = 'lost' DESC);

CREATE TABLE gap AS
SELECT *, gseq - gseq_before - 1 AS records FROM (
  SELECT n, ts, lag(ts) OVER o AS ts_before, gseq, lag(gseq) OVER o AS gseq_before
  FROM event WHERE gseq IS NOT NULL WINDOW o AS (ORDER BY n))
WHERE gseq > gseq_before + 1;

-- Which jumps are around which gap. One after the other, gaps by number, and of each the
-- jumps by where they end, each jump explains as many as it has records left.
CREATE TABLE around AS
SELECT row_number() OVER (ORDER BY gap.n, jump.gseq_after, jump.n) AS place,
  gap.n AS gap, gap.records AS numbers, 'n' || jump.n AS jump, cseq - next_cseq AS records
FROM gap JOIN step AS jump
  ON jump.gseq_before <= gap.gseq_before AND jump.gseq_after >= gap.gseq
WHERE cseq > next_cseq;
CREATE UNIQUE INDEX around_place ON around (place);

CREATE TABLE explained AS
WITH RECURSIVE walk AS (  -- what is left of this gap's numbers, and of each jump
  SELECT 0 AS place, 0 AS gap, 0 AS numbers, '{}' AS jumps
  UNION ALL
  SELECT a.place, a.gap,
    max(iif(a.gap = walk.gap, walk.numbers, a.numbers)
        - coalesce(json_extract(jumps, '$.' || jump), a.records), 0),
    json_set(jumps, '$.' || jump,
      max(coalesce(json_extract(jumps, '$.' || jump), a.records)
          - iif(a.gap = walk.gap, walk.numbers, a.numbers), 0))
  FROM walk JOIN around AS a ON a.place = walk.place + 1)
SELECT gap AS n, min(numbers) AS numbers_left FROM walk GROUP BY gap;

CREATE TABLE hole AS
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
SELECT n, NULL, coalesce(numbers_left, records), 0, 0, ts_before + 1, max(ts_before + 1, ts), 0
FROM gap LEFT JOIN explained USING (n) WHERE coalesce(numbers_left, records) > 0;
