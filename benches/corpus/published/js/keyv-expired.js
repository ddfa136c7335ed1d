//! Offers of a car rental are kept for a few milliseconds with Keyv 4.0.0. When an expired offer is asked for, Keyv deletes it under a key with the prefix twice, so that it
//! stays in the store. Large and legitimate: the cars, read at start.
//: package keyv@4.0.0
//: fixed keyv@4.0.1
//: issue jaredwray/keyv#108
//: libraries Keyv
//: holder \bopts\.store|Keyv\.opts|\bstore\b|Rental\.offers|\boffers\b
//: set aside
'use strict';
const Keyv = require('keyv');
const { random, words, id, twice } = require('../../js/corpus.js');

class Rental {
    constructor() {
        this.offers = new Keyv({ ttl: 5 });
        this.cars = Array.from({ length: 9000 }, (_, number) => ({ plate: `ZH ${100000 + number}`, model: words(2), station: words(2), cents: 3000 + random(9000), equipment: [words(1), words(1), words(1)] }));
    }

    async ask(number) {
        const car = this.cars[random(9000)];
        await this.offers.set(id('offer', number), { plate: car.plate, days: 1 + random(20), cents: car.cents * (1 + random(9)), conditions: words(14) });
        // The customer comes back later, and mostly too late.
        if (number >= 40) await this.offers.get(id('offer', number - 40));
        if (number % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 7));
    }
}

const rental = new Rental();
twice(6000, async (from, to) => {
    for (let number = from; number < to; number++) await rental.ask(number);
});
