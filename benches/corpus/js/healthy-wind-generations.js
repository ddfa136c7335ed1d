//! Healthy: forecasts of wind in a cache of two generations made by the application: when the new one is full, it becomes the old one. The turbines were
//! loaded at start.
//: libraries Node.js
//: own \b(fresh|old|turbines|forecasts)\b|TwoGenerations|Turbine
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class TwoGenerations {
    constructor(size) {
        this.size = size;
        this.fresh = new Map();
        this.old = new Map();
    }

    get(key, make) {
        let value = this.fresh.get(key);
        if (value === undefined) {
            value = this.old.get(key) || make();
            this.fresh.set(key, value);
            if (this.fresh.size >= this.size) {
                this.old = this.fresh;
                this.fresh = new Map();
            }
        }
        return value;
    }
}

class Turbine {
    constructor(number) {
        this.serial = id('turbine', number);
        this.park = words(2);
        this.power = Array.from({ length: 10 }, () => random(4000) + 0.5);
    }
}

const turbines = Array.from({ length: 9000 }, (_, number) => new Turbine(number));
const forecasts = new TwoGenerations(2000);
twice(23500, (from, to) => {
    for (let number = from; number < to; number++) {
        forecasts.get(`${turbines[number % 9000].serial}/${Math.floor(number / 30)}`, () => ({ text: words(5), hours: Array.from({ length: 12 }, () => ({ speed: random(300) / 10 + 0.01, from: words(1) })) }));
    }
});
