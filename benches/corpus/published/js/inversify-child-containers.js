//! A server with a child container for each request, with InversifyJS 7.5.1: the cache of each child subscribes to the cache of the parent,
//! in `PlanResultCacheService.#subscribers`. Large and legitimate: the catalogue.
//: package inversify@7.5.1 reflect-metadata@0.2.2
//: fixed inversify@7.5.2 reflect-metadata@0.2.2
//: issue inversify/InversifyJS#1810
//: libraries InversifyJS
//: holder PlanResultCacheService\.#?subscribers|#subscribers
//: set tuned
'use strict';
require('reflect-metadata');
const { Container } = require('inversify');
const { random, words, id, twice } = require('../../js/corpus.js');

class Product {
    constructor(number) {
        this.code = id('product', number);
        this.title = words(4);
        this.price = random(10000) / 100;
        this.labels = [words(1), words(1)];
    }
}

class Catalogue {
    constructor(size) {
        this.products = Array.from({ length: size }, (_, number) => new Product(number));
    }
}

class Basket {
    constructor(request, catalogue) {
        this.request = request;
        this.lines = Array.from({ length: 4 }, () => catalogue.products[random(catalogue.products.length)]);
    }

    total() {
        return this.lines.reduce((sum, { price }) => sum + price, 0);
    }
}

const parent = new Container();
parent.bind('catalogue').toConstantValue(new Catalogue(12000));

function handle(number) {
    const child = new Container({ parent });
    child.bind('request').toConstantValue({ id: id('request', number), agent: words(4) });
    child.bind('basket').toDynamicValue((context) => new Basket(context.get('request'), context.get('catalogue')));
    return child.get('basket').total();
}

let total = 0;

twice(700, async (from, to) => {
    for (let number = from; number < to; number++) {
        total += handle(number);
        if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
