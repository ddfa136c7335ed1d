//! Scores of choirs are parsed in a Proxy that notes each access for the search. The handler keeps a list of all paths ever read, which a report was to empty. Beside it:
//! the works with their voices, and an lru-cache of rendered pages that is at its bound.
//: libraries lru-cache
//: holder \baccesses\b|\bAccessLog\b|\blog\b
//: set aside
//: leak 16.8
'use strict';
const { LRUCache } = require('lru-cache');
const { random, words, id, twice } = require('./corpus.js');

class AccessLog {
    #accesses = [];

    watch(object, path) {
        const log = this.#accesses;
        return new Proxy(object, {
            get(target, key) {
                const value = target[key];
                if (typeof key === 'string' && typeof value !== 'function') log.push({ path: `${path}.${key}`, kind: typeof value, at: Date.now() + 0.5 });
                return value;
            },
        });
    }

    get size() {
        return this.#accesses.length;
    }
}

class Archive {
    constructor() {
        this.log = new AccessLog();
        this.works = Array.from({ length: 10000 }, (_, number) => ({ number: id('work', number), title: words(4), composer: words(2), voices: [words(1), words(1), words(1), words(1)], bars: 20 + random(300) }));
        this.pages = new LRUCache({ max: 2500 });
    }

    open(number) {
        const work = this.log.watch(this.works[random(10000)], id('work', number));
        const page = `${work.title} by ${work.composer}, ${work.bars} bars\n${work.voices.join(' ')}\n${words(10)}`;
        this.pages.set(id('page', number), { page, lines: page.split('\n') });
        return page.length;
    }
}

const archive = new Archive();
twice(15000, (from, to) => {
    for (let number = from; number < to; number++) archive.open(number);
});
