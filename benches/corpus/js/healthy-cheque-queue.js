//! Healthy: cheques wait in a queue with a limit, which is always reached: the oldest is dropped. The accounts were loaded at start.
//: libraries Node.js
//: own \b(waiting|accounts|clearing|items)\b|Clearing|BoundedQueue
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class BoundedQueue {
    constructor(capacity) {
        this.capacity = capacity;
        this.items = [];
        this.dropped = 0;
    }

    push(item) {
        if (this.items.length >= this.capacity) {
            this.items.shift();
            this.dropped++;
        }
        this.items.push(item);
    }
}

class Clearing {
    constructor() {
        this.accounts = new Map(Array.from({ length: 36000 }, (_, number) => [id('account', number), { owner: words(2), branch: words(1), balance: random(100000) / 100 + 0.001 }]));
        this.waiting = new BoundedQueue(5000);
    }

    receive(number) {
        this.waiting.push({ number: id('cheque', number), account: id('account', random(36000)), cents: random(90000), memo: words(6) });
    }
}

const clearing = new Clearing();
twice(30000, (from, to) => {
    for (let number = from; number < to; number++) clearing.receive(number);
});
