-- Each leak in each version on each device.
WITH readable AS (
  SELECT app, version_order, device, count(*) AS dumps
  FROM dumps WHERE status = 'read'
  GROUP BY app, version_order, device
), found AS (
  SELECT app, fingerprint, version_order, min(version) AS version, device,
    min(name) AS name,
    count(DISTINCT dump_id) AS dumps,
    CAST(sum(retained_bytes) AS BIGINT) AS total_bytes,
    max(retained_bytes) AS largest_bytes,
    min(taken_at) AS first_taken
  FROM findings WHERE section IN ('leak', 'native') AND status = 'read'
  GROUP BY app, fingerprint, version_order, device
)
SELECT found.app, found.fingerprint, found.name, found.version, found.version_order, found.device,
  readable.dumps AS dumps_of_device, found.dumps, CAST(found.dumps AS DOUBLE) / readable.dumps AS share_of_dumps,
  found.total_bytes, found.largest_bytes, found.first_taken
FROM found
JOIN readable ON readable.app = found.app AND readable.version_order = found.version_order
  AND readable.device = found.device
ORDER BY found.app, found.fingerprint, found.version_order, found.device
