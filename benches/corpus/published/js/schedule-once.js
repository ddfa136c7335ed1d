//! A pharmacy tells customers that their medicine is ready, once and a moment later, with node-schedule 1.3.1. A job for a single date runs, but stays in the library's
//! variable `scheduledJobs`. Large and legitimate: the medicines, read at start.
//: package node-schedule@1.3.1
//: fixed node-schedule@2.0.0
//: issue node-schedule/node-schedule#478
//: libraries node-schedule
//: holder scheduledJobs
//: set aside
'use strict';
const schedule = require('node-schedule');
const { random, words, id, twice } = require('../../js/corpus.js');

class Pharmacy {
    constructor() {
        this.medicines = Array.from({ length: 10000 }, (_, number) => ({ code: id('medicine', number), name: words(2), maker: words(2), hints: [words(4), words(4)], stock: random(90) }));
        this.told = 0;
    }

    prescribe(number) {
        const message = { number: id('prescription', number), medicine: this.medicines[random(10000)], text: words(10) };
        schedule.scheduleJob(new Date(Date.now() + 300 + random(200)), () => {
            this.told += message.text.length > 0 ? 1 : 0;
        });
    }
}

const pharmacy = new Pharmacy();
twice(2000, async (from, to) => {
    for (let number = from; number < to; number++) {
        pharmacy.prescribe(number);
        if (number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await new Promise((resolve) => setTimeout(resolve, 900));
});
