//! A gateway counts its requests by path, in a tree of the segments of the URL (whatwg-url). Numbers of orders are segments too, so that it grows.
//! Beside it, much larger: answers in a full cache (lru-cache), customers, and the counters of the hour, made anew each hour.
//: libraries whatwg-url, lru-cache
//: holder PathCounter|\bchildren\b|\bcounters\b
//: set tuned
//: leak 1.5
'use strict';
const { URL } = require('whatwg-url');
const { LRUCache } = require('lru-cache');
const { random, words, id, twice } = require('./corpus.js');

class PathCounter {
    constructor() {
        this.hits = 0;
        this.children = new Map();
    }

    count(segments, at = 0) {
        this.hits++;
        if (at === segments.length) return;
        let child = this.children.get(segments[at]);
        if (!child) this.children.set(segments[at], (child = new PathCounter()));
        child.count(segments, at + 1);
    }
}

class Gateway {
    constructor() {
        this.counters = new PathCounter();
        this.customers = new Map(Array.from({ length: 50000 }, (_, number) => [id('customer', number), { name: words(2), mail: `${id('mail', number)}@post.example`, limit: random(500), tags: [words(1), words(1)] }]));
        this.answers = new LRUCache({ max: 3500 });
        for (let number = 0; number < 3500; number++) this.answers.set(`/catalogue/${number}`, this.answer());
        this.hour = new Map();
    }

    answer() {
        return { status: 200, headers: { etag: id('tag', random(1e6)), type: 'application/json' }, items: Array.from({ length: 8 }, () => ({ title: words(3), cents: random(90000) })) };
    }

    serve(number) {
        const url = new URL(`https://shop.example/customers/${id('customer', random(50000))}/orders/${id('order', number)}?page=${random(9)}`);
        this.counters.count(url.pathname.split('/').filter(Boolean));
        if (number % 1000 === 0) this.hour = new Map();
        const customer = this.customers.get(url.pathname.split('/')[2]);
        this.hour.set(customer.mail, (this.hour.get(customer.mail) || 0) + 1);
        this.answers.set(url.pathname, this.answer());
    }
}

const gateway = new Gateway();
twice(700, async (from, to) => {
    for (let request = from; request < to; request++) gateway.serve(request);
});
