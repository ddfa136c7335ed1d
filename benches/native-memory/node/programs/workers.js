'use strict';
// Eight worker threads that stay: each has a V8 heap, a stack and a Buffer of its own. A snapshot
// of the main thread contains none of the heaps of workers.

const { pool } = require('../images/ResizePool');

const COUNT = 8;

module.exports = {
    start: () => pool.grow(COUNT),
    workers: () => pool.ask('state'),
    fix: [['terminate ResizePool.workers', () => pool.terminate()]],
    truth: {
        kind: 'worker-thread',
        holder: 'ResizePool.workers',
        native_bytes: COUNT * (2 << 20),
        native_bytes_are: 'Buffers only; heaps of workers are in node.json, workers',
        workers: COUNT,
        stack_bytes_reserved: COUNT * (4 << 20),
    },
};
