//! Healthy: fossils of a museum. Opened drawers are held by WeakRef, with a FinalizationRegistry that takes the entry out of the table, and the last thousand are held strongly in a
//! ring. The catalogue was loaded at start.
//: libraries Node.js
//: own \b(drawers|ring|catalogue|museum|registry)\b|Museum
//: set aside
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Museum {
    constructor() {
        this.catalogue = Array.from({ length: 16000 }, (_, number) => ({ code: id('fossil', number), name: words(2), layer: words(1), found: new Date(1e12 + number * 1e7), notes: words(8) }));
        this.drawers = new Map();
        this.ring = new Array(1000).fill(null);
        this.registry = new FinalizationRegistry((code) => {
            if (this.drawers.get(code)?.deref() === undefined) this.drawers.delete(code);
        });
    }

    open(number) {
        const code = id('drawer', random(30000));
        let drawer = this.drawers.get(code)?.deref();
        if (!drawer) {
            drawer = { code, fossils: Array.from({ length: 6 }, () => this.catalogue[random(16000)]), label: words(6), opened: number };
            this.drawers.set(code, new WeakRef(drawer));
            this.registry.register(drawer, code);
        }
        this.ring[number % 1000] = drawer;
    }
}

const museum = new Museum();
twice(20000, async (from, to) => {
    for (let number = from; number < to; number++) {
        museum.open(number);
        if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (let round = 0; round < 3; round++) {
        globalThis.gc?.();
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
});
