//! A bank calculates loans with decimal.js. A home-made context of requests follows asynchronous resources with async_hooks: it copies the context to
//! each new resource and takes out none. Beside it: rates by day, read anew, customers, and plans in work, which are answered after a while.
//: libraries Node.js, decimal.js
//: holder \bcontextsByResource\b
//: set tuned
'use strict';
const { createHook, executionAsyncId } = require('async_hooks');
const Decimal = require('decimal.js');
const { random, words, id, twice } = require('./corpus.js');

class RequestContexts {
    constructor() {
        this.contextsByResource = new Map();
        createHook({
            init: (resource, _type, trigger) => {
                const context = this.contextsByResource.get(trigger);
                if (context) this.contextsByResource.set(resource, context);
            },
        }).enable();
    }

    run(context, work) {
        this.contextsByResource.set(executionAsyncId(), context);
        const result = work();
        this.contextsByResource.delete(executionAsyncId());
        return result;
    }

    get current() {
        return this.contextsByResource.get(executionAsyncId());
    }
}

class LoanDesk {
    constructor() {
        this.contexts = new RequestContexts();
        this.customers = Array.from({ length: 24000 }, (_, number) => ({ number: id('customer', number), name: words(2), income: random(9000), address: words(4), scores: [random(9), random(9), random(9)] }));
        this.plans = new Map();
        this.readRates();
    }

    readRates() {
        this.rates = Array.from({ length: 5000 }, (_, day) => ({ day, percent: new Decimal(100 + random(500)).div(100), source: words(2) }));
    }

    async plan(request) {
        const customer = this.customers[random(24000)];
        const rate = this.rates[request % 5000].percent.div(1200);
        await null;
        const months = [];
        let rest = new Decimal(customer.income).mul(20);
        for (let month = 0; month < 12; month++) {
            const interest = rest.mul(rate);
            months.push({ interest, rest: (rest = rest.add(interest).sub(customer.income / 3)) });
        }
        await new Promise((resolve) => setImmediate(resolve));
        this.plans.set(id('plan', request), { customer, months, asked: this.contexts.current?.user });
        if (this.plans.size > 700) this.plans.delete(this.plans.keys().next().value);
    }

    ask(request) {
        const context = { request: id('request', request), user: words(2), began: new Date(1.767e12 + request), headers: { agent: words(4), language: 'de', trace: `${random(1e9)}-${random(1e9)}` } };
        return this.contexts.run(context, () => this.plan(request));
    }
}

const desk = new LoanDesk();
twice(2600, async (from, to) => {
    for (let request = from; request < to; request += 10) {
        if (request % 1000 === 0) desk.readRates();
        await Promise.all(Array.from({ length: 10 }, (_, at) => desk.ask(request + at)));
    }
});
