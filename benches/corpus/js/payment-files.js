//! A clearing house reads payment files with saxes and adds with decimal.js. The journal of all payments is an array of the module that only grows.
//! Beside it: accounts with balances, changed by each payment, and exchange rates.
//: libraries saxes, decimal.js
//: holder \bjournal\b
//: set tuned
'use strict';
const { SaxesParser } = require('saxes');
const Decimal = require('decimal.js');
const { random, words, id, twice } = require('./corpus.js');

const journal = [];

class Account {
    constructor(number) {
        this.iban = `CH${9300762011623 + number}`;
        this.owner = words(2);
        this.balance = new Decimal(random(1e9)).div(100);
        this.limits = { daily: random(90000), monthly: random(900000) };
    }
}

class ClearingHouse {
    constructor() {
        this.accounts = Array.from({ length: 50000 }, (_, number) => new Account(number));
        this.rates = Object.fromEntries(Array.from({ length: 160 }, (_, number) => [id('currency', number), Array.from({ length: 365 }, () => random(10000) / 7)]));
    }

    file(number) {
        const payments = Array.from({ length: 12 }, () => `<payment from="${random(50000)}" to="${random(50000)}" amount="${random(1e7) / 100}"><note>${words(5)}</note></payment>`);
        return `<?xml version="1.0"?><file id="${id('file', number)}">${payments.join('')}</file>`;
    }

    clear(text) {
        const parser = new SaxesParser();
        let payment;
        parser.on('opentag', (tag) => {
            if (tag.name === 'payment') payment = { ...tag.attributes, steps: ['read'] };
        });
        parser.on('text', (note) => {
            if (payment) payment.note = note;
        });
        parser.on('closetag', (tag) => {
            if (tag.name === 'payment') this.book(payment);
        });
        parser.write(text).close();
    }

    book(payment) {
        const amount = new Decimal(payment.amount);
        const from = this.accounts[Number(payment.from)];
        const to = this.accounts[Number(payment.to)];
        from.balance = from.balance.minus(amount);
        to.balance = to.balance.plus(amount);
        payment.steps.push(`from ${from.owner}`, `to ${to.owner}`);
        journal.push({ payment, amount, before: from.balance, time: new Date(1790000000000 + journal.length) });
    }
}

const house = new ClearingHouse();
twice(900, async (from, to) => {
    for (let request = from; request < to; request++) house.clear(house.file(request));
});
