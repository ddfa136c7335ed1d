'use strict';
// Cache of thumbnails that never evicts. Pixels lie in Buffers, outside the heap.

class Thumbnail {
    constructor(url, pixels) {
        this.url = url;
        this.pixels = pixels;
        // A view of the same memory: it must not be counted twice.
        this.firstRow = pixels.subarray(0, 4096);
    }
}

class ThumbnailCache {
    constructor() {
        this.entries = new Map();
        this.tags = [];
    }

    load(url, bytes) {
        this.entries.set(url, new Thumbnail(url, Buffer.alloc(bytes, url.length)));
        // Small Buffers share slabs of 8 KiB: each of these holds a slab for 20 bytes.
        this.tags.push(Buffer.from(url));
    }
}

module.exports = { cache: new ThumbnailCache() };
