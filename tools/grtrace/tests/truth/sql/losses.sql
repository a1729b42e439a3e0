-- SPDX-License-Identifier: GPL-2.0
--
-- Where records are not there: each LOST, and each jump of cseq on a CPU that no
-- LOST explains: 1 ns behind the record before it (or from the start of the session, if
-- nothing stands before it) to the record after it.
CREATE TABLE hole AS
WITH step AS (
  SELECT n, cpu, ts, type, cseq, events, notes, first_ts, last_ts,
    coalesce(lag(cseq + iif(type = 'lost', events + notes, 1)) OVER c, 0) AS next_cseq,
    lag(ts) OVER c AS ts_before
  FROM event WHERE cpu IS NOT NULL AND cseq IS NOT NULL
  WINDOW c AS (PARTITION BY cpu ORDER BY cseq, type = 'lost' DESC))
SELECT n, cpu, events + notes AS records, events, notes,
  first_ts, last_ts, 1 AS is_told
FROM step WHERE type = 'lost'
UNION ALL
SELECT n, cpu, cseq - next_cseq, 0, 0,
  coalesce(ts_before + 1, (SELECT min(ts - time) FROM event)),
  iif(type = 'lost', first_ts, ts), 0
FROM step WHERE cseq > next_cseq;
