//! A crawler of many hosts with undici 7.14: `Agent[kClients]` keeps a pool for each origin it ever talked to, as the name is not found when
//! the connection closes. Large and legitimate: the index of pages, read at start.
//: package undici@7.14.0
//: fixed undici@7.15.0
//: issue nodejs/undici#4424
//: libraries undici
//: holder [aA]gent\..*clients
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const { Agent, fetch } = require('undici');
const { random, words, id, twice } = require('../../js/corpus.js');

class Page {
    constructor(number) {
        this.code = id('page', number);
        this.title = words(5);
        this.links = Array.from({ length: 4 }, () => `/${words(1)}/${random(1000)}`);
        this.seen = random(1000000);
    }
}

class Crawler {
    constructor(size) {
        this.index = new Map();
        for (let number = 0; number < size; number++) {
            const page = new Page(number);
            this.index.set(page.code, page);
        }
        this.agent = new Agent({ keepAliveTimeout: 10, keepAliveMaxTimeout: 10 });
        this.bytes = 0;
    }

    async visit(origin, code) {
        const response = await fetch(`${origin}/${code}`, { dispatcher: this.agent });
        const text = await response.text();
        this.bytes += text.length;
        this.index.get(code).seen = text.length;
    }
}

(async () => {
    const server = http.createServer((request, response) => response.end(words(60)));
    server.keepAliveTimeout = 20;
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address();
    const crawler = new Crawler(9000);
    await twice(220, async (from, to) => {
        for (let number = from; number < to; number++) {
            // Each address of the loopback network is a host of its own.
            await crawler.visit(`http://127.0.${number >> 7}.${1 + (number & 127)}:${port}`, id('page', random(9000)));
        }
        await new Promise((resolve) => setTimeout(resolve, 300));
    });
})();
