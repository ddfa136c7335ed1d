//! A service that gives the signal of its shutdown to each p-map 7.0.2: each call adds a listener to the signal, and none is removed.
//! Large and legitimate: the documents, read at start.
//: package p-map@7.0.2
//: fixed p-map@7.0.3
//: issue sindresorhus/p-map#75
//: libraries p-map
//: holder (AbortSignal|shutdown\.signal|signal\b)
//: set tuned
'use strict';
const { random, words, id, twice } = require('../../js/corpus.js');

class Document {
    constructor(number) {
        this.code = id('document', number);
        this.title = words(4);
        this.paragraphs = Array.from({ length: 3 }, () => words(8));
        this.author = { name: words(2), office: words(1) };
    }
}

class Search {
    constructor(pMap, size) {
        this.pMap = pMap;
        this.documents = Array.from({ length: size }, (_, number) => new Document(number));
        this.shutdown = new AbortController();
        this.hits = 0;
    }

    async rate(document, terms) {
        await null;
        return { code: document.code, score: terms.filter((term) => document.title.includes(term)).length };
    }

    async find(terms) {
        const chosen = Array.from({ length: 10 }, () => this.documents[random(this.documents.length)]);
        const rated = await this.pMap(chosen, (document) => this.rate(document, terms), { concurrency: 4, signal: this.shutdown.signal });
        this.hits += rated.filter(({ score }) => score > 0).length;
    }
}

(async () => {
    const { default: pMap } = await import(require.resolve('p-map'));
    const search = new Search(pMap, 7000);
    await twice(800, async (from, to) => {
        for (let number = from; number < to; number++) await search.find([words(1), words(1), id('query', number)]);
    });
})();
