//! A server that reads fragments from the cache of Apollo Client 2.2: each read makes a document, and the variable `added` of apollo-utilities
//! keeps each document with `__typename` added. Large and legitimate: the products in the cache.
//: package apollo-cache-inmemory@1.1.9 apollo-cache@1.1.4 apollo-utilities@1.0.8 graphql@0.13.2 graphql-tag@2.8.0
//: issue apollographql/apollo-client#3132
//: libraries Apollo Client
//: holder \badded\b
//: set tuned
'use strict';
const { InMemoryCache } = require('apollo-cache-inmemory');
const gql = require('graphql-tag');
const { random, words, id, twice } = require('../../js/corpus.js');

const cache = new InMemoryCache({ dataIdFromObject: ({ id: key }) => key, addTypename: true });
const products = Array.from({ length: 4000 }, (_, number) => ({
    __typename: 'Product',
    id: id('product', number),
    name: words(3),
    price: random(10000) / 100,
    maker: { __typename: 'Maker', id: id('maker', number % 90), name: words(2), city: words(1) },
}));
cache.writeQuery({ query: gql`query All { products { id name price maker { id name city } } }`, data: { products } });

const fragment = gql`fragment Shown on Product { id name price maker { id name } }`;
let sum = 0;

function show(number) {
    const product = cache.readFragment({ id: id('product', number % 4000), fragment });
    sum += product.price;
}

twice(500, async (from, to) => {
    for (let number = from; number < to; number++) {
        show(random(4000));
        if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
