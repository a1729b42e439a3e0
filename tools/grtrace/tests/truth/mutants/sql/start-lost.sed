# a START that follows from a COMMIT, though its record was lost
# tests/truth/sql/start.sql
s/AND NOT (lost AND coalesce(tells_start < l\.n, 0))//
