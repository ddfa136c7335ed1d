//! A broker whose code makes a logger for each message with debug 4.1: `createDebug.instances` holds all of them.
//! Large and legitimate: the accounts of the broker, read at start.
//: package debug@4.1.1
//: fixed debug@4.3.4
//: issue debug-js/debug#678
//: libraries debug
//: holder createDebug\.instances
//: set tuned
'use strict';
const createDebug = require('debug');
const { random, words, id, twice } = require('../../js/corpus.js');

class Account {
    constructor(number) {
        this.number = id('account', number);
        this.holder = { name: words(2), address: `${random(200)} ${words(2)}, ${words(1)}` };
        this.balance = random(1000000) / 100;
        this.limits = [random(100), random(1000), random(10000)];
    }
}

class Broker {
    constructor(size) {
        this.accounts = new Map();
        for (let number = 0; number < size; number++) {
            const account = new Account(number);
            this.accounts.set(account.number, account);
        }
        this.booked = 0;
    }

    /** Each message has a logger of its own, with the name of its topic. */
    receive(message) {
        const log = createDebug(`broker:${message.topic}`);
        log('received %o', message);
        const account = this.accounts.get(message.account);
        account.balance += message.amount;
        log('balance %d', account.balance);
        this.booked++;
    }
}

const broker = new Broker(12000);

twice(6000, async (from, to) => {
    for (let number = from; number < to; number++) {
        broker.receive({ topic: `payments.${words(1)}`, account: id('account', random(12000)), amount: random(100) });
        if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
