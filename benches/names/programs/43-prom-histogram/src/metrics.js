'use strict';
const client = require('prom-client');

client.collectDefaultMetrics({ eventLoopMonitoringPrecision: 1000 });

// The label "path" has the number of the order in it: one set of buckets for each path ever asked for.
const requestSeconds = new client.Histogram({ name: 'http_request_seconds', help: 'Duration of requests', labelNames: ['method', 'path', 'status'] });

function observe(method, path, status, seconds) {
    requestSeconds.labels(method, path, status).observe(seconds);
}

module.exports = { observe };
