//! A map service that gives the signal of its shutdown to each task of p-queue 9.0.0. The queue adds a listener to the signal for each task, and removes none. Large and
//! legitimate: the places, read at start.
//: package p-queue@9.0.0
//: fixed p-queue@9.0.1
//: issue sindresorhus/p-queue#235
//: libraries p-queue
//: holder (AbortSignal|shutdown\.signal|signal\b)
//: set aside
'use strict';
const { random, words, id, twice } = require('../../js/corpus.js');

class MapService {
    constructor(queue) {
        this.queue = queue;
        this.shutdown = new AbortController();
        this.places = Array.from({ length: 12000 }, (_, number) => ({ code: id('place', number), name: words(3), east: random(90000) / 1000 + 0.0001, kinds: [words(1), words(1)] }));
        this.drawn = 0;
    }

    draw(number) {
        const place = this.places[random(12000)];
        const tile = { number: id('tile', number), place, lines: Array.from({ length: 5 }, () => words(3)) };
        return this.queue.add(async () => {
            this.drawn += tile.lines.length;
            return tile.lines.join(' ').length;
        }, { signal: this.shutdown.signal });
    }
}

(async () => {
    const { default: PQueue } = await import(require.resolve('p-queue'));
    const service = new MapService(new PQueue({ concurrency: 6 }));
    await twice(3000, async (from, to) => {
        for (let number = from; number < to; number += 10) {
            await Promise.all(Array.from({ length: Math.min(10, to - number) }, (_, at) => service.draw(number + at)));
        }
    });
})();
