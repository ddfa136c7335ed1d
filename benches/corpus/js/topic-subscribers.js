//! Prices of a market by topic. A page subscribes with an object and unsubscribes with a copy of it, which no set contains: each stays in the set of its
//! topic. Beside it: the goods, and pages that are open.
//: libraries Node.js
//: holder \bsubscribersByTopic\b
//: set tuned
//: leak 9.3
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Market {
    constructor() {
        this.goods = new Map(Array.from({ length: 21000 }, (_, number) => [id('good', number), { title: words(3), origin: words(2), price: random(90000) / 100 + 0.001 }]));
        this.subscribersByTopic = new Map();
        this.openPages = [];
    }

    subscribe(topic, subscriber) {
        if (!this.subscribersByTopic.has(topic)) this.subscribersByTopic.set(topic, new Set());
        this.subscribersByTopic.get(topic).add(subscriber);
    }

    unsubscribe(topic, subscriber) {
        this.subscribersByTopic.get(topic)?.delete(subscriber);
    }

    visit(request) {
        const topics = Array.from({ length: 2 }, () => `prices/${random(140)}`);
        const page = { visitor: id('visitor', request), settings: { language: 'de', columns: words(4).split(' '), since: 1.767e12 + request + 0.5 } };
        for (const topic of topics) this.subscribe(topic, page);
        this.openPages.push({ page, topics });
        if (this.openPages.length > 300) {
            const closed = this.openPages.shift();
            for (const topic of closed.topics) this.unsubscribe(topic, { ...closed.page });
        }
    }
}

const market = new Market();
twice(6500, (from, to) => {
    for (let request = from; request < to; request++) market.visit(request);
});
