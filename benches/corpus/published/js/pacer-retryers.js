//! A printer's shop sends its jobs through one queue of TanStack Pacer 0.20. The queue makes a retryer for each job and names it, even if it has no name itself, so that each
//! retryer is entered in `pacerDevtoolsInstancesByKey` of the library for its tools. Large and legitimate: the papers and the customers.
//: package @tanstack/pacer@0.20.1
//: issue TanStack/pacer#198
//: libraries TanStack Pacer
//: holder pacerDevtoolsInstancesByKey|#?queuedEvents
//: set aside
'use strict';
const { AsyncQueuer } = require('@tanstack/pacer/async-queuer');
const { random, words, id, twice } = require('../../js/corpus.js');

class PrintShop {
    constructor() {
        this.papers = new Map(Array.from({ length: 6000 }, (_, number) => [id('paper', number), { name: words(3), grams: 60 + random(240), sizes: [words(1), words(1)] }]));
        this.customers = Array.from({ length: 9000 }, (_, number) => ({ number: id('customer', number), name: words(2), address: words(5) }));
        this.printed = 0;
        this.queue = new AsyncQueuer(async (job) => {
            this.printed += job.pages;
            return job.pages;
        }, { concurrency: 4, wait: 0, started: true });
    }

    async print(number) {
        const customer = this.customers[random(9000)];
        this.queue.addItem({ number: id('job', number), customer, paper: this.papers.get(id('paper', random(6000))), pages: 1 + random(40), text: words(9) });
        if (number % 4 === 3) await new Promise((resolve) => setTimeout(resolve, 2));
    }
}

const shop = new PrintShop();
twice(2500, async (from, to) => {
    for (let number = from; number < to; number++) await shop.print(number);
    while (shop.printed < 1 || shop.queue.store.state.items.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});
