//! Healthy: answers of a consulate in node-cache with `maxKeys`; the oldest key is deleted before a new one is set. The countries were loaded at start.
//: libraries node-cache
//: own \b(answers|rules|consulate|data)\b|NodeCache|Consulate
//: set tuned
'use strict';
const NodeCache = require('node-cache');
const { random, words, id, twice } = require('./corpus.js');

class Consulate {
    constructor() {
        this.rules = Array.from({ length: 26000 }, (_, number) => ({ code: id('rule', number), text: words(7), days: random(90) }));
        this.answers = new NodeCache({ maxKeys: 2000, stdTTL: 3600, useClones: false, checkperiod: 0 });
        this.order = [];
    }

    answer(number) {
        const key = `visa:${number}`;
        if (this.order.length === 2000) this.answers.del(this.order.shift());
        this.order.push(key);
        this.answers.set(key, { applicant: words(2), rule: this.rules[number % this.rules.length], letter: words(25), granted: number % 3 > 0 });
    }
}

const consulate = new Consulate();
twice(14000, (from, to) => {
    for (let number = from; number < to; number++) consulate.answer(number);
});
