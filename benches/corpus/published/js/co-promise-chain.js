//! A worker that is one endless coroutine of co 4.0: each step is a promise that resolves the promise of the step before, so that the whole
//! chain stays. Large and legitimate: the parcels.
//: package co@4.0.0
//: fixed co@4.6.0
//: issue tj/co#180
//: libraries co
//: holder \bco\b|[wW]orker
//: set tuned
'use strict';
const co = require('co');
const { random, words, id, twice } = require('../../js/corpus.js');

class Parcel {
    constructor(number) {
        this.code = id('parcel', number);
        this.to = { name: words(2), street: words(2), city: words(1) };
        this.grams = random(20000);
        this.stops = [words(1), words(1)];
    }
}

class Worker {
    constructor(size) {
        this.parcels = Array.from({ length: size }, (_, number) => new Parcel(number));
        this.sorted = 0;
        const worker = this;
        this.done = co(function* () {
            while (true) {
                const parcel = yield worker.next();
                worker.sorted += parcel.grams;
            }
        });
    }

    next() {
        return new Promise((resolve) => setImmediate(() => resolve(this.parcels[random(this.parcels.length)])));
    }
}

const worker = new Worker(10000);

twice(12000, async (from, to) => {
    for (let number = from; number < to; number++) await new Promise((resolve) => setImmediate(resolve));
});
