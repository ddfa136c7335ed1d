//! Healthy: a geocoder keeps its last results in a Map that it uses as a list of least recent use: found keys are set again, the first one is
//! deleted beyond the limit. The streets were loaded at start.
//: libraries Node.js
//: own \b(recent|streets|geocoder)\b|Geocoder
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Geocoder {
    constructor(limit) {
        this.limit = limit;
        this.streets = Array.from({ length: 45000 }, (_, number) => ({ name: `${words(2)} ${number}`, x: random(9000) + 0.25, y: random(9000) + 0.75 }));
        this.recent = new Map();
    }

    find(query) {
        let result = this.recent.get(query);
        if (result) {
            this.recent.delete(query);
        } else {
            result = { query, matches: Array.from({ length: 4 }, () => ({ street: this.streets[random(45000)], score: random(100) / 100 + 0.001, text: words(4) })) };
        }
        this.recent.set(query, result);
        if (this.recent.size > this.limit) this.recent.delete(this.recent.keys().next().value);
        return result;
    }
}

const geocoder = new Geocoder(2500);
twice(16000, (from, to) => {
    for (let number = from; number < to; number++) geocoder.find(`${words(1)} ${number % 7 ? number : number % 50}`);
});
