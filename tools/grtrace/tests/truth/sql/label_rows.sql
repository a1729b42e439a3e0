-- SPDX-License-Identifier: GPL-2.0
--
-- How many jobs have each label.
SELECT coalesce(label, 'unknown') AS label, sum(weight) AS jobs FROM figure GROUP BY label;
