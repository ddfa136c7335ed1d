-- Leaks of each program: in how many dumps, versions and on how many devices, and how large.
WITH readable AS (
  SELECT app, count(*) AS dumps FROM dumps WHERE status = 'read' GROUP BY app
), found AS (
  SELECT
    app, fingerprint,
    min(name) AS name, min(owner) AS owner, min(kind) AS kind, min(class) AS class,
    count(DISTINCT dump_id) AS dumps,
    count(DISTINCT version) AS versions,
    count(DISTINCT device) AS devices,
    min(version_order) AS first_order, max(version_order) AS last_order,
    min(taken_at) AS first_taken, max(taken_at) AS last_taken,
    CAST(sum(retained_bytes) AS BIGINT) AS total_bytes,
    max(retained_bytes) AS largest_bytes
  FROM findings
  WHERE section IN ('leak', 'native') AND status = 'read'
  GROUP BY app, fingerprint
), named AS (
  SELECT app, version_order, min(version) AS version FROM dumps GROUP BY app, version_order
)
SELECT
  found.app, found.fingerprint, found.name, found.owner, found.kind, found.class,
  found.dumps, readable.dumps AS dumps_of_app, CAST(found.dumps AS DOUBLE) / readable.dumps AS share_of_dumps,
  found.versions, found.devices,
  f.version AS first_version, l.version AS last_version,
  found.first_taken, found.last_taken,
  found.total_bytes, CAST(found.total_bytes AS DOUBLE) / found.dumps AS mean_bytes, found.largest_bytes
FROM found
JOIN readable ON readable.app = found.app
JOIN named f ON f.app = found.app AND f.version_order = found.first_order
JOIN named l ON l.app = found.app AND l.version_order = found.last_order
ORDER BY found.app, found.total_bytes DESC, found.fingerprint
