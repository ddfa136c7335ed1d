//! Healthy: turnstiles count passes by card in windows of time; windows that are over are removed with each minute, so that about as many remain. The
//! stations were loaded at start.
//: libraries Node.js
//: own \b(windows|stations|counter)\b|PassCounter
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class PassCounter {
    constructor() {
        this.windows = new Map();
        this.stations = Array.from({ length: 32000 }, (_, number) => ({ code: id('station', number), name: words(2), gates: [random(40), random(40), random(40)] }));
    }

    pass(number) {
        const card = `card-${number - random(3000)}`;
        const window = this.windows.get(card) || { card, first: number, station: this.stations[random(32000)], passes: [] };
        window.passes.push({ time: number, gate: random(40), kind: words(1) });
        if (window.passes.length > 5) window.passes.shift();
        window.last = number;
        this.windows.set(card, window);
        if (number % 400 === 0) {
            for (const [key, { last }] of this.windows) if (last < number - 5000) this.windows.delete(key);
        }
    }
}

const counter = new PassCounter();
twice(30000, (from, to) => {
    for (let number = from; number < to; number++) counter.pass(number);
});
