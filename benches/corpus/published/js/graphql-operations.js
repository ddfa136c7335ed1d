//! A GraphQL server over one long connection, with subscriptions-transport-ws 0.9.17: `connectionContext.operations` keeps each query that was
//! answered, as the client says no more that it has stopped. Large and legitimate: the books.
//: package subscriptions-transport-ws@0.9.17 graphql@15.5.0 ws@7.4.0
//: issue apollographql/subscriptions-transport-ws#805
//: libraries subscriptions-transport-ws
//: holder operations
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const WebSocket = require('ws');
const { SubscriptionServer, SubscriptionClient } = require('subscriptions-transport-ws');
const { buildSchema, execute, subscribe } = require('graphql');
const { random, words, id, twice } = require('../../js/corpus.js');

class Book {
    constructor(number) {
        this.code = id('book', number);
        this.title = words(4);
        this.author = words(2);
        this.words = random(200000);
    }
}

const books = new Map();
for (let number = 0; number < 13000; number++) {
    const book = new Book(number);
    books.set(book.code, book);
}

const schema = buildSchema('type Book { code: String, title: String, author: String, words: Int } type Query { book(code: String): Book }');
const rootValue = { book: ({ code }) => books.get(code) };

(async () => {
    const server = http.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    SubscriptionServer.create({ schema, rootValue, execute, subscribe }, { server, path: '/graphql' });
    const client = new SubscriptionClient(`ws://127.0.0.1:${server.address().port}/graphql`, {}, WebSocket);
    const query = 'query ($code: String) { book(code: $code) { title author words } }';
    await twice(900, async (from, to) => {
        for (let number = from; number < to; number++) {
            const variables = { code: id('book', random(13000)) };
            await new Promise((resolve, reject) => client.request({ query, variables }).subscribe({ complete: resolve, error: reject }));
        }
    });
})();
