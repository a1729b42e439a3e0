-- SPDX-License-Identifier: GPL-2.0
--
-- Events as numbers, in the order in which they are read, from `grtrace export
-- --to csv --rows events`. A context can be above 2^63, so it stays text; ring 0
-- is no ring. A fence is the text ctx:seqno.
CREATE TABLE event AS
SELECT rowid AS n,
  CAST(nullif(cpu, 'NA') AS INTEGER) AS cpu,
  CAST(nullif(gseq, 'NA') AS INTEGER) AS gseq,
  CAST(nullif(cseq, 'NA') AS INTEGER) AS cseq,
  CAST(nullif(ts, 'NA') AS INTEGER) AS ts,
  type, letter,
  CAST(nullif(pid, 'NA') AS INTEGER) AS pid,
  CAST(nullif(tgid, 'NA') AS INTEGER) AS tgid,
  iif(tgid = 'NA', NULL, comm) AS comm,  -- a thread may be called NA
  nullif(ctx, 'NA') AS ctx,
  CAST(nullif(seqno, 'NA') AS INTEGER) AS seqno,
  CAST(iif(ring = 'NA', 0, ring) AS INTEGER) AS ring,
  nullif(ring_name, 'NA') AS ring_name,
  nullif(dev, 'NA') AS dev, nullif(engine, 'NA') AS engine,
  nullif(driver, 'NA') AS driver,
  nullif(ctx || ':' || seqno, 'NA:NA') AS fence_id,
  nullif(fence_ctx || ':' || fence_seqno, 'NA:NA') AS names,
  CAST(nullif(kind, 'NA') AS INTEGER) AS kind,
  CAST(nullif(code, 'NA') AS INTEGER) AS code,
  CAST(nullif(guilty_pid, 'NA') AS INTEGER) AS guilty_pid,
  nullif(guilty_comm, 'NA') AS guilty_comm,
  CAST(nullif(arg, 'NA') AS INTEGER) AS arg,
  CAST(nullif(flags, 'NA') AS INTEGER) AS flags,
  CAST(nullif(weight, 'NA') AS INTEGER) AS weight,
  CAST(nullif(events, 'NA') AS INTEGER) AS events,
  CAST(nullif(notes, 'NA') AS INTEGER) AS notes,
  CAST(nullif(first_ts, 'NA') AS INTEGER) AS first_ts,
  CAST(nullif(last_ts, 'NA') AS INTEGER) AS last_ts,
  CAST(nullif(limited, 'NA') AS INTEGER) AS limited,
  CAST(nullif(pressure, 'NA') AS INTEGER) AS pressure,
  CAST(nullif(duration, 'NA') AS INTEGER) AS duration,
  CAST(nullif(result, 'NA') AS INTEGER) AS result,
  nullif(ioctl, 'NA') AS ioctl,
  CAST(nullif(sample, 'NA') AS INTEGER) AS sample,
  CAST(nullif(previous, 'NA') AS INTEGER) AS previous,
  nullif(client, 'NA') AS client,
  CAST(nullif(priority, 'NA') AS INTEGER) AS priority,
  iif(type = 'ring', text, NULL) AS ring_text,
  CAST(time AS INTEGER) AS time
FROM raw;
CREATE UNIQUE INDEX event_n ON event (n);
CREATE INDEX event_type ON event (type, n);
CREATE INDEX event_fence ON event (fence_id, n);
CREATE INDEX event_names ON event (names, n);
