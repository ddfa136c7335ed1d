-- What changed from the last version but one to the last, for each program: new, back, worse, better, fixed, gone or same.
-- Only dumps that were read as a whole count: what is missing in others says nothing.
-- The share of dumps is another one if it differs by more than two standard errors of the difference of two shares
-- (squared, since not every database has roots). A rare leak that is back or not there any more may be chance: same.
-- A digest lists findings from some size on: a leak below that size in the other version may be there, too: same.
-- Worse and better: another share, or, at the same share, a mean size that differs by a tenth or more.
WITH counted AS (
  SELECT app, version_order, min(version) AS version, count(*) AS dumps, coalesce(max(least_bytes), 0) AS least_bytes
  FROM dumps WHERE status = 'read'
  GROUP BY app, version_order
), versions AS (
  SELECT app, version, version_order, dumps, least_bytes,
    ROW_NUMBER() OVER (PARTITION BY app ORDER BY version_order DESC) AS back
  FROM counted
), last_two AS (
  SELECT app,
    max(CASE WHEN back = 1 THEN version END) AS version, max(CASE WHEN back = 1 THEN dumps END) AS dumps_of_version,
    max(CASE WHEN back = 1 THEN least_bytes END) AS least_of_version,
    max(CASE WHEN back = 2 THEN least_bytes END) AS least_of_before,
    max(CASE WHEN back = 2 THEN version END) AS version_before, max(CASE WHEN back = 2 THEN dumps END) AS dumps_of_before
  FROM versions GROUP BY app
), found AS (
  SELECT f.app, f.fingerprint, v.back,
    min(f.name) AS name, min(f.owner) AS owner, min(f.kind) AS kind, min(f.class) AS class,
    count(DISTINCT f.dump_id) AS dumps,
    CAST(sum(f.retained_bytes) AS BIGINT) AS total_bytes
  FROM findings f
  JOIN versions v ON v.app = f.app AND v.version_order = f.version_order
  WHERE f.section IN ('leak', 'native') AND f.status = 'read'
  GROUP BY f.app, f.fingerprint, v.back
), pairs AS (
  SELECT app, fingerprint,
    min(name) AS name, min(owner) AS owner, min(kind) AS kind, min(class) AS class,
    CAST(sum(CASE WHEN back = 1 THEN dumps ELSE 0 END) AS BIGINT) AS dumps,
    CAST(sum(CASE WHEN back = 2 THEN dumps ELSE 0 END) AS BIGINT) AS dumps_before,
    CAST(sum(CASE WHEN back > 2 THEN dumps ELSE 0 END) AS BIGINT) AS dumps_earlier,
    CAST(sum(CASE WHEN back = 1 THEN total_bytes ELSE 0 END) AS BIGINT) AS total_bytes,
    CAST(sum(CASE WHEN back = 2 THEN total_bytes ELSE 0 END) AS BIGINT) AS total_before
  FROM found GROUP BY app, fingerprint
), measured AS (
  SELECT pairs.*, last_two.version, last_two.version_before, last_two.dumps_of_version, last_two.dumps_of_before,
    last_two.least_of_version, last_two.least_of_before,
    CAST(pairs.dumps AS DOUBLE) / last_two.dumps_of_version AS share_of_dumps,
    CASE WHEN last_two.dumps_of_before > 0 THEN CAST(pairs.dumps_before AS DOUBLE) / last_two.dumps_of_before END AS share_before,
    CASE WHEN pairs.dumps > 0 THEN CAST(pairs.total_bytes AS DOUBLE) / pairs.dumps END AS mean_bytes,
    CASE WHEN pairs.dumps_before > 0 THEN CAST(pairs.total_before AS DOUBLE) / pairs.dumps_before END AS mean_before
  FROM pairs JOIN last_two ON last_two.app = pairs.app
), tested AS (
  SELECT measured.*,
    (share_of_dumps - share_before) * (share_of_dumps - share_before)
      * (dumps_of_version + dumps_of_before) * dumps_of_version * dumps_of_before
      > CAST(4 AS DOUBLE) * (dumps + dumps_before) * (dumps_of_version + dumps_of_before - dumps - dumps_before) AS is_other_share
  FROM measured
)
SELECT app, version, version_before,
  CASE
    WHEN dumps = 0 AND dumps_before = 0 THEN 'gone'
    WHEN dumps_before = 0 AND mean_bytes < least_of_before THEN 'same'
    WHEN dumps = 0 AND mean_before < least_of_version THEN 'same'
    WHEN dumps_before = 0 AND dumps_earlier = 0 THEN 'new'
    WHEN dumps_before = 0 AND (is_other_share OR dumps = dumps_of_version) THEN 'back'
    WHEN dumps = 0 AND (is_other_share OR dumps_before = dumps_of_before) THEN 'fixed'
    WHEN dumps = 0 OR dumps_before = 0 THEN 'same'
    WHEN is_other_share AND share_of_dumps > share_before THEN 'worse'
    WHEN is_other_share AND share_of_dumps < share_before THEN 'better'
    WHEN mean_bytes > mean_before * 1.1 THEN 'worse'
    WHEN mean_bytes < mean_before * 0.9 THEN 'better'
    ELSE 'same'
  END AS change,
  fingerprint, name, owner, kind, class,
  dumps, dumps_before, share_of_dumps, share_before, mean_bytes, mean_before, total_bytes, total_before
FROM tested
ORDER BY app, total_bytes DESC, total_before DESC, fingerprint
