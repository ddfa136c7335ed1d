//! Exchange rates, memoized for 20 milliseconds by day and currency with mem 3: entries older than `maxAge` stay in the cache until the
//! same key is asked for again. Large and legitimate: the bookings, read at start.
//: package mem@3.0.1
//: fixed mem@4.3.0
//: issue sindresorhus/memoize#14
//: libraries mem
//: holder opts\.cache|Rates\.(rate|cache)|memoized
//: set tuned
'use strict';
const mem = require('mem');
const { random, words, id, twice } = require('../../js/corpus.js');

class Booking {
    constructor(number) {
        this.code = id('booking', number);
        this.text = words(5);
        this.amount = { value: random(100000) / 100, currency: ['EUR', 'GBP', 'CHF', 'SEK'][number % 4] };
        this.account = id('account', random(900));
    }
}

function fetchRate(currency, customer) {
    const steps = Array.from({ length: 12 }, (_, at) => ({ above: at * 1000, rate: random(20000) / 10000 }));
    return { currency, customer, steps, source: words(3), at: Date.now() };
}

class Rates {
    constructor() {
        this.rate = mem(fetchRate, { maxAge: 20 });
    }

    convert(booking, customer) {
        const { steps } = this.rate(booking.amount.currency, customer);
        return booking.amount.value * steps.find(({ above }) => above >= 0).rate;
    }
}

const bookings = Array.from({ length: 24000 }, (_, number) => new Booking(number));
const rates = new Rates();
let total = 0;

twice(1800, async (from, to) => {
    for (let number = from; number < to; number++) {
        total += rates.convert(bookings[random(24000)], id('customer', number));
        if (number % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
});
