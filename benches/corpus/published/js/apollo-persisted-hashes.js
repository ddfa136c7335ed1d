//! A hub that sends queries on as their hashes, with apollo-link-persisted-queries 0.2.1. The map `calculated` of the link keeps the hash by the document, and each request
//! is parsed into a document of its own. Large and legitimate: the trails, read at start.
//: package apollo-link-persisted-queries@0.2.1 apollo-link@1.2.3 graphql@14.0.2
//: issue apollographql/apollo-link-persisted-queries#26
//: libraries Apollo Link
//: holder \bcalculated\b
//: set aside
'use strict';
const { createPersistedQueryLink } = require('apollo-link-persisted-queries');
const { ApolloLink, Observable, execute } = require('apollo-link');
const { parse } = require('graphql');
const { random, words, id, twice } = require('../../js/corpus.js');

class Hub {
    constructor() {
        this.trails = Array.from({ length: 9000 }, (_, number) => ({ code: id('trail', number), name: words(3), metres: random(9000), marks: Array.from({ length: 6 }, () => words(2)) }));
        const answer = new ApolloLink((operation) => Observable.of({ data: { trail: this.trails[random(9000)], hash: operation.extensions.persistedQuery.sha256Hash } }));
        this.link = ApolloLink.from([createPersistedQueryLink(), answer]);
    }

    ask(number) {
        const query = parse(`query Trail { trail(code: "${id('trail', random(9000))}", day: ${number}) { code name metres marks } }`);
        return new Promise((resolve, reject) => {
            execute(this.link, { query }).subscribe({ next: resolve, error: reject });
        });
    }
}

const hub = new Hub();
twice(600, async (from, to) => {
    for (let number = from; number < to; number++) await hub.ask(number);
});
