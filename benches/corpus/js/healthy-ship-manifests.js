//! Healthy: manifests of ships in quick-lru, which keeps two generations of at most its size; both have been replaced many times. The ports were loaded at start.
//: libraries quick-lru
//: own \b(manifests|ports|harbour)\b|QuickLRU|Harbour
//: set tuned
'use strict';
const QuickLRU = require('quick-lru');
const { random, words, id, twice } = require('./corpus.js');

class Harbour {
    constructor() {
        this.ports = new Map(Array.from({ length: 30000 }, (_, number) => [id('port', number), { name: words(2), depth: random(30) + 0.5, berths: [random(9), random(9)] }]));
        this.manifests = new QuickLRU({ maxSize: 1200 });
    }

    manifest(number) {
        const key = id('voyage', number);
        if (!this.manifests.has(key)) {
            this.manifests.set(key, { voyage: key, from: id('port', number % 30000), cargo: Array.from({ length: 8 }, () => ({ kind: words(2), tons: random(400) })) });
        }
        return this.manifests.get(key);
    }
}

const harbour = new Harbour();
twice(12000, (from, to) => {
    for (let number = from; number < to; number++) harbour.manifest(number);
});
