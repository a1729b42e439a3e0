-- SPDX-License-Identifier: GPL-2.0
--
-- How many jobs have each label.
SELECT label, sum(weight) AS jobs FROM figure GROUP BY label;
