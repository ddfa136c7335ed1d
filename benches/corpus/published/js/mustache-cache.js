//! Letters whose template is made for each customer, with Mustache 3: the writer caches each template ever rendered, by its text.
//! Large and legitimate: the customers, read at start.
//: package mustache@3.0.1
//: issue janl/mustache.js#693
//: libraries Mustache
//: holder Writer\.cache
//: set tuned
'use strict';
const mustache = require('mustache');
const { random, words, id, twice } = require('../../js/corpus.js');

class Customer {
    constructor(number) {
        this.code = id('customer', number);
        this.name = words(2);
        this.address = { street: `${words(1)} ${random(200)}`, city: words(1), country: words(1) };
        this.orders = Array.from({ length: 3 }, () => ({ article: words(2), price: random(10000) / 100 }));
    }
}

class Letters {
    constructor(size) {
        this.customers = Array.from({ length: size }, (_, number) => new Customer(number));
        this.bytes = 0;
    }

    /** Each letter has a greeting and a reference of its own in its template. */
    template(number) {
        return `<p id="${id('letter', number)}">${words(2)} {{name}},</p>{{#orders}}<li>{{article}}: {{price}}</li>{{/orders}}<p>${words(4)}</p>`;
    }

    send(number) {
        const customer = this.customers[random(this.customers.length)];
        this.bytes += mustache.render(this.template(number), customer).length;
    }
}

const letters = new Letters(8000);

twice(800, async (from, to) => {
    for (let number = from; number < to; number++) {
        letters.send(number);
        if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
