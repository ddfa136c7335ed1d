//! Scales of beehives push their readings through a queue of tasks, one after the other for each hive: each task is chained to the promise of the one before by a
//! table of tails. A hive that has been quiet leaves the table, but its key is compared as a text with a number, so that none ever goes. Beside it: the hives with their curves.
//: libraries Node.js
//: holder \btails\b
//: set aside
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class HiveQueue {
    constructor() {
        this.tails = new Map();
        this.used = new Map();
    }

    /** Runs the work after all earlier work of this hive. */
    run(hive, now, work) {
        const tail = (this.tails.get(hive) ?? Promise.resolve()).then(work);
        this.tails.set(hive, tail);
        this.used.set(Number(hive), now);
        return tail;
    }

    sweep(now) {
        for (const [hive, last] of this.used) {
            if (last > now - 500) continue;
            this.used.delete(hive);
            this.tails.delete(hive);
        }
    }
}

class Apiary {
    constructor() {
        this.queue = new HiveQueue();
        this.models = Array.from({ length: 9000 }, (_, number) => ({ code: id('model', number), maker: words(2), frames: 8 + random(4), curve: Array.from({ length: 16 }, () => random(9000) / 100 + 0.001) }));
        this.alerts = [];
    }

    async weigh(number) {
        // Beekeepers register hives anew each season, by a number that counts on.
        const hive = String(100000 + number);
        const model = this.models[random(9000)];
        const weight = await this.queue.run(hive, number, async () => {
            await null;
            return { hive, model, text: words(8), kilograms: Array.from({ length: 12 }, () => 20 + random(4000) / 100 + 0.001), at: new Date(1.76e12 + number * 1000) };
        });
        if (weight.kilograms[0] > 55) this.alerts.push(`${hive}: ${weight.kilograms[0]} kg, ${words(4)}`);
        if (this.alerts.length > 500) this.alerts.shift();
        if (number % 250 === 0) this.queue.sweep(number);
    }
}

const apiary = new Apiary();
twice(7000, async (from, to) => {
    for (let number = from; number < to; number++) await apiary.weigh(number);
});
