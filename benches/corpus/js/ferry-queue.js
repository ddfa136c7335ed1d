//! Cars wait for ferries in a queue of async iterators. Each screen of the quay reads the arrivals by events.on, and leaves its loop by a promise that never settles when
//! it is switched off: the iterator goes on to collect all arrivals for it. Beside it: the ferries with their decks, and the plates of subscribers.
//: libraries Node.js
//: holder \b_events\b|\bunconsumedEvents\b|\barrivals\b|FixedQueue|FixedCircularBuffer
//: set aside
'use strict';
const { EventEmitter, on } = require('events');
const { random, words, id, twice } = require('./corpus.js');

class Quay {
    constructor() {
        this.arrivals = new EventEmitter();
        this.arrivals.setMaxListeners(0);
        this.ferries = Array.from({ length: 1200 }, (_, number) => ({ name: words(2), code: id('ferry', number), decks: Array.from({ length: 6 }, () => ({ lanes: random(8), free: random(300), text: words(3) })) }));
        this.subscribers = new Map(Array.from({ length: 16000 }, (_, number) => [`ZH ${100000 + number}`, { holder: words(2), until: new Date(1.8e12 + number) }]));
        this.running = 0;
    }

    /** A screen that shows arrivals until it is switched off. */
    async screen(number) {
        let shown = 0;
        this.running++;
        for await (const [car] of on(this.arrivals, 'car')) {
            shown += car.metres;
            if (shown > 40 + number) {
                this.running--;
                // The screen goes dark, but waits here for the next day.
                await new Promise(() => {});
            }
        }
    }

    async arrive(number) {
        const ferry = this.ferries[random(1200)];
        const car = { plate: `ZH ${100000 + random(16000)}`, metres: 3 + random(9), ferry, text: words(5), stamps: [number, random(60), random(60)] };
        this.arrivals.emit('car', car);
        if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
}

const quay = new Quay();
for (let number = 0; number < 4; number++) quay.screen(number);
twice(6500, async (from, to) => {
    for (let number = from; number < to; number++) await quay.arrive(number);
});
