-- Versions of each program: dumps, those that cannot be read, and sizes.
SELECT
  app, version, version_order,
  count(*) AS dumps,
  CAST(sum(CASE WHEN status = 'unreadable' THEN 1 ELSE 0 END) AS BIGINT) AS unreadable,
  CAST(sum(CASE WHEN status = 'incomplete' THEN 1 ELSE 0 END) AS BIGINT) AS incomplete,
  count(DISTINCT device) AS devices,
  CAST(coalesce(sum(shallow_bytes), 0) AS BIGINT) AS total_bytes,
  max(shallow_bytes) AS largest_bytes,
  min(taken_at) AS first_taken,
  max(taken_at) AS last_taken
FROM dumps
GROUP BY app, version, version_order
ORDER BY app, version_order, version
