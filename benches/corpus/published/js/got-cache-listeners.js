//! A reader of feeds that gives got 9 its store as `cache`: each request makes a Keyv, which adds a listener for errors to the store. Large and
//! legitimate: the articles.
//: package got@9.6.0
//: issue sindresorhus/got#792
//: libraries got, Keyv
//: holder SharedStore\._events
//: set tuned
'use strict';
const http = require('http');
const { EventEmitter, once } = require('events');
const got = require('got');
const { random, words, id, twice } = require('../../js/corpus.js');

/** A store as the adapters of Keyv are, which tells of errors by an event. It forgets all but the last hundred entries. */
class SharedStore extends EventEmitter {
    constructor() {
        super();
        this.setMaxListeners(0);
        this.entries = new Map();
    }

    get(key) {
        return this.entries.get(key);
    }

    set(key, value) {
        this.entries.set(key, value);
        if (this.entries.size > 100) this.entries.delete(this.entries.keys().next().value);
    }

    delete(key) {
        return this.entries.delete(key);
    }

    clear() {
        this.entries.clear();
    }
}

const articles = Array.from({ length: 11000 }, (_, number) => ({ code: id('article', number), title: words(5), author: { name: words(2) }, score: random(99) }));
const store = new SharedStore();
let bytes = 0;

(async () => {
    const server = http.createServer((request, response) => response.end(JSON.stringify({ text: words(20) })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const feeds = `http://127.0.0.1:${server.address().port}/feeds`;
    await twice(900, async (from, to) => {
        for (let number = from; number < to; number++) {
            const { body } = await got(`${feeds}/${articles[random(11000)].code}`, { cache: store });
            bytes += body.length;
        }
    });
})();
