# COMPLETE where no END is recorded
# tests/truth/sql/jobs.sql
s/ ended\.ts AS end_ts/ coalesce(ended.ts, done.ts) AS end_ts/
