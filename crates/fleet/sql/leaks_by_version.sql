-- Each leak in each version of its program, with the version before: all pairs, also those without the leak.
WITH counted AS (
  SELECT app, version_order, min(version) AS version, count(*) AS dumps
  FROM dumps WHERE status = 'read'
  GROUP BY app, version_order
), versions AS (
  SELECT app, version, version_order, dumps,
    ROW_NUMBER() OVER (PARTITION BY app ORDER BY version_order) AS version_place
  FROM counted
), leaks AS (
  SELECT app, fingerprint, min(name) AS name FROM findings WHERE section IN ('leak', 'native') AND status = 'read' GROUP BY app, fingerprint
), found AS (
  SELECT app, fingerprint, version_order,
    count(DISTINCT dump_id) AS dumps,
    CAST(sum(retained_bytes) AS BIGINT) AS total_bytes,
    max(retained_bytes) AS largest_bytes,
    min(taken_at) AS first_taken
  FROM findings WHERE section IN ('leak', 'native') AND status = 'read'
  GROUP BY app, fingerprint, version_order
), cells AS (
  SELECT
    leaks.app, leaks.fingerprint, leaks.name,
    versions.version, versions.version_order, versions.version_place,
    versions.dumps AS dumps_of_version,
    coalesce(found.dumps, 0) AS dumps,
    CAST(coalesce(found.dumps, 0) AS DOUBLE) / versions.dumps AS share_of_dumps,
    CASE WHEN found.dumps > 0 THEN CAST(found.total_bytes AS DOUBLE) / found.dumps ELSE CAST(0 AS DOUBLE) END AS mean_bytes,
    coalesce(found.total_bytes, 0) AS total_bytes,
    coalesce(found.largest_bytes, 0) AS largest_bytes,
    found.first_taken
  FROM leaks
  JOIN versions ON versions.app = leaks.app
  LEFT JOIN found ON found.app = leaks.app AND found.fingerprint = leaks.fingerprint
    AND found.version_order = versions.version_order
)
SELECT
  app, fingerprint, name, version, version_order, dumps_of_version, dumps, share_of_dumps,
  mean_bytes, total_bytes, largest_bytes, first_taken,
  mean_bytes - lag(mean_bytes) OVER (PARTITION BY app, fingerprint ORDER BY version_place) AS growth_bytes,
  share_of_dumps - lag(share_of_dumps) OVER (PARTITION BY app, fingerprint ORDER BY version_place) AS growth_of_share
FROM cells
ORDER BY app, fingerprint, version_place
