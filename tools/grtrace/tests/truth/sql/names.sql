-- SPDX-License-Identifier: GPL-2.0
--
-- Names of rings: the last record about a ring counts. What the records of a job were
-- marked with. And whose it is.
CREATE TABLE ring_name AS
SELECT ring, max(n) AS named_n, ring_name, dev, engine, driver FROM event
WHERE ring <> 0 GROUP BY ring;

-- The CPU executes the jobs of these.
CREATE TABLE cpu_ring AS
SELECT DISTINCT ring FROM event WHERE ring_text LIKE '%, cpu%';

CREATE TABLE flags AS
SELECT job, max(flags & 3 = 3) AS inferred, max(flags & 16 > 0) AS slow_queue,
  max(flags & 32 > 0) AS slow_exec
FROM (
  SELECT job, flags FROM record
  UNION ALL
  SELECT job, flags FROM job JOIN ended USING (job) JOIN event ON n = known_n AND place = 1)
GROUP BY job;
CREATE UNIQUE INDEX flags_job ON flags (job);

-- The client of a job is that of its SUBMIT. amdgpu numbers its own jobs from 2^64-1
-- downwards.
CREATE TABLE client AS
WITH driver_job (client, client_name) AS (VALUES
  ('18446744073709551615', 'vm_update'), ('18446744073709551614', 'vm_update_pdes'),
  ('18446744073709551613', 'vm_update_range'), ('18446744073709551612', 'vm_pt_clear'),
  ('18446744073709551611', 'ttm_map_buffer'),
  ('18446744073709551610', 'ttm_access_memory_sdma'),
  ('18446744073709551609', 'ttm_copy_buffer'), ('18446744073709551608', 'clear_on_release'),
  ('18446744073709551607', 'move_blit'), ('18446744073709551606', 'ttm_clear_buffer'),
  ('18446744073709551605', 'cleaner_shader'), ('18446744073709551604', 'flush_gpu_tlb'),
  ('18446744073709551603', 'kfd_gart_map'), ('18446744073709551602', 'vcn_ring_test'),
  ('18446744073709551601', 'gfx_ring_test'), ('18446744073709551600', 'sdma_ring_test'),
  ('18446744073709551599', 'vpe_ring_test'), ('18446744073709551598', 'run_shader')),
owner AS (
  SELECT job, submit.client FROM job LEFT JOIN event AS submit ON submit.n = submit_n)
SELECT owner.job, owner.client,
  iif(coalesce(driver, '') IN ('', 'amdgpu'), client_name, NULL) AS client_name
FROM owner JOIN job USING (job) LEFT JOIN ring_name USING (ring)
LEFT JOIN driver_job ON driver_job.client = owner.client;
CREATE UNIQUE INDEX client_job ON client (job);
