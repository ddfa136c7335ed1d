//! A service that opens the database of a shop for each request with PouchDB 6: the constructor keeps a listener for each opened database in
//! `_destructionListeners`, and by it the database. Large and legitimate: the prices.
//: package pouchdb-core@6.1.2 pouchdb-adapter-memory@6.1.2
//: issue apache/pouchdb#6225
//: libraries PouchDB
//: holder _destructionListeners
//: set tuned
'use strict';
const PouchDB = require('pouchdb-core');
PouchDB.plugin(require('pouchdb-adapter-memory'));
const { random, words, id, twice } = require('../../js/corpus.js');

class Price {
    constructor(number) {
        this.article = id('article', number);
        this.name = words(3);
        this.steps = Array.from({ length: 4 }, () => ({ from: random(100), price: random(10000) / 100 }));
    }
}

const prices = Array.from({ length: 7000 }, (_, number) => new Price(number));
const SHOPS = ['north', 'south', 'harbour'];

async function order(number) {
    const database = new PouchDB(`orders-${SHOPS[number % 3]}`, { adapter: 'memory' });
    const lines = Array.from({ length: 2 }, () => ({ article: prices[random(7000)].article, pieces: random(5) }));
    await database.put({ _id: 'latest', lines, buyer: words(2) }, { force: true }).catch(() => database.get('latest'));
}

twice(220, async (from, to) => {
    for (let number = from; number < to; number++) await order(number);
});
