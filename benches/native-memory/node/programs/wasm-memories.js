'use strict';
// WebAssembly memories: 10 of 4 MiB that are touched, 2 of 8 MiB of which one page is touched.
// Each reserves gigabytes of addresses, so the size of the mapping says nothing.

const { PAGE, pool } = require('../physics/WorldPool');

const FULL = 10;
const SPARSE = 2;

module.exports = {
    start() {
        for (let index = 0; index < FULL; index++) {
            pool.add(`arena-${index}`, 64, 64);
        }
        for (let index = 0; index < SPARSE; index++) {
            pool.add(`lobby-${index}`, 128, 1);
        }
    },
    fix: [['clear WorldPool.worlds', () => { pool.worlds.length = 0; }]],
    truth: {
        kind: 'webassembly-memory',
        holder: 'WorldPool.worlds',
        native_bytes: (FULL * 64 + SPARSE * 128) * PAGE,
        touched_bytes: (FULL * 64 + SPARSE) * PAGE,
        memories: FULL + SPARSE,
    },
};
