-- Dumps that are unreadable or incomplete, with the reason.
SELECT app, version, device, dump, status, error, file_bytes
FROM dumps
WHERE status <> 'read'
ORDER BY app, version_order, dump
