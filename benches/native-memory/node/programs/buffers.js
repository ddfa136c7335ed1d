'use strict';
// Buffers in a cache: 50 of 1 MiB, each with a view, and 4 that are garbage. In total
// below 64 MiB: at that growth of external memory V8 collects garbage by itself.

const { cache } = require('../cache/ThumbnailCache');

const COUNT = 50;
const BYTES = 1 << 20;
const GARBAGE = 4;

module.exports = {
    start() {
        for (let index = 0; index < COUNT; index++) {
            cache.load(`https://img.example/thumb-${index}.png`, BYTES);
        }
        for (let index = 0; index < GARBAGE; index++) {
            Buffer.alloc(BYTES, 1);
        }
    },
    fix: [
        ['clear ThumbnailCache.entries', () => cache.entries.clear()],
        ['clear ThumbnailCache.tags', () => { cache.tags.length = 0; }],
    ],
    truth: {
        kind: 'array-buffer',
        holder: 'ThumbnailCache.entries',
        native_bytes: COUNT * BYTES,
        touched_bytes: (COUNT + GARBAGE) * BYTES,
        buffers: COUNT,
        views: COUNT,
        garbage_bytes: GARBAGE * BYTES,
        second_holder: 'ThumbnailCache.tags',
        second_holder_is: `${COUNT} small Buffers in slabs of 8192 bytes that Node shares`,
    },
};
