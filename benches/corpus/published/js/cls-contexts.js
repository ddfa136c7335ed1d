//! A server that keeps a promise in the context of its request with cls-hooked: the context refers to the promise, the promise
//! is alive by its context, so that `Namespace._contexts` is never emptied. Large and legitimate: the catalogue.
//: package cls-hooked@4.2.2
//: issue Jeff-Lewis/cls-hooked#66
//: libraries cls-hooked
//: holder Namespace\._contexts
//: set tuned
'use strict';
const cls = require('cls-hooked');
const { random, words, id, twice } = require('../../js/corpus.js');

class Product {
    constructor(number) {
        this.code = id('product', number);
        this.title = words(4);
        this.prices = { retail: random(10000) / 100, dealer: random(8000) / 100 };
        this.labels = [words(1), words(1), words(1)];
    }
}

const catalogue = new Map();
for (let number = 0; number < 15000; number++) {
    const product = new Product(number);
    catalogue.set(product.code, product);
}

const requests = cls.createNamespace('requests');

async function loadUser(number) {
    await null;
    return { id: id('user', number), name: words(2), roles: ['guest', words(1)] };
}

async function show(code) {
    const user = await requests.get('user');
    return `${user.name}: ${catalogue.get(code).title}`;
}

function handle(number) {
    return requests.runAndReturn(() => {
        requests.set('request', { id: id('request', number), path: `/products/${random(15000)}`, agent: words(6) });
        requests.set('user', loadUser(number));
        return show(id('product', random(15000)));
    });
}

let bytes = 0;

twice(700, async (from, to) => {
    for (let number = from; number < to; number++) bytes += (await handle(number)).length;
    await new Promise((resolve) => setTimeout(resolve, 20));
});
