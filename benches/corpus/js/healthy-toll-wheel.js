//! Healthy: deadlines of toll bills in a wheel of the application's own, an array of sets by minute. A bill that is paid leaves its set, one that is not leaves with its minute, and
//! about as many come as go. The roads were loaded at start.
//: libraries Node.js
//: own \b(slots|roads|wheel|open|office)\b|DeadlineWheel|TollOffice
//: set aside
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class DeadlineWheel {
    constructor(minutes) {
        this.slots = Array.from({ length: minutes }, () => new Set());
        this.minute = 0;
    }

    add(bill, minutes) {
        bill.slot = (this.minute + minutes) % this.slots.length;
        this.slots[bill.slot].add(bill);
    }

    remove(bill) {
        this.slots[bill.slot].delete(bill);
    }

    tick(expired) {
        this.minute++;
        const slot = this.slots[this.minute % this.slots.length];
        for (const bill of slot) expired(bill);
        slot.clear();
    }
}

class TollOffice {
    constructor() {
        this.wheel = new DeadlineWheel(240);
        this.open = new Map();
        this.roads = Array.from({ length: 18000 }, (_, number) => ({ code: id('road', number), name: words(3), metres: random(90000), gates: [words(1), words(1)] }));
        this.late = 0;
    }

    pass(number) {
        const bill = { number: id('bill', number), plate: `ZH ${100000 + random(900000)}`, road: this.roads[random(18000)], cents: random(2000), text: words(5) };
        this.open.set(bill.number, bill);
        this.wheel.add(bill, 100 + random(100));
        const paid = this.open.get(id('bill', number - 1 - random(6000)));
        if (paid) {
            this.open.delete(paid.number);
            this.wheel.remove(paid);
        }
        if (number % 40 === 0) this.wheel.tick((late) => {
            this.open.delete(late.number);
            this.late++;
        });
    }
}

const office = new TollOffice();
twice(40000, (from, to) => {
    for (let number = from; number < to; number++) office.pass(number);
});
