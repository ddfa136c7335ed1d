//! A shop on Express. Sessions are kept in memory and never expire: one for each visitor who comes without a cookie.
//! Large and legitimate: the catalogue with its index of tags.
//: libraries Express
//: holder \bbyCookie\b
//: set tuned
//: leak 4.0
'use strict';
const { once } = require('events');
const express = require('express');
const { random, words, id, twice } = require('./corpus.js');

class Product {
    constructor(number) {
        this.sku = id('sku', number);
        this.title = words(4);
        this.text = words(20);
        this.price = random(90000) / 100;
        this.tags = [words(1), words(1)];
    }
}

class Catalogue {
    constructor(size) {
        this.products = Array.from({ length: size }, (_, number) => new Product(number));
        this.byTag = new Map();
        for (const product of this.products) {
            for (const tag of product.tags) {
                if (!this.byTag.has(tag)) this.byTag.set(tag, []);
                this.byTag.get(tag).push(product);
            }
        }
    }
}

class Session {
    constructor(cookie, agent) {
        this.cookie = cookie;
        this.agent = agent;
        this.startedAt = new Date(1764000000000 + random(1000000));
        this.basket = [];
        this.viewed = [];
    }
}

class SessionStore {
    constructor() {
        this.byCookie = new Map();
        this.started = 0;
    }

    start(agent) {
        const session = new Session(id('session', this.started++), agent);
        this.byCookie.set(session.cookie, session);
        return session;
    }

    get(cookie) {
        return this.byCookie.get(cookie);
    }

    end(cookie) {
        this.byCookie.delete(cookie);
    }
}

const catalogue = new Catalogue(9000);
const store = new SessionStore();
const app = express();

app.use((req, res, next) => {
    const [, cookie] = /sid=([^;]+)/.exec(req.headers.cookie || '') || [];
    req.session = store.get(cookie) || store.start(req.headers['user-agent']);
    res.setHeader('Set-Cookie', `sid=${req.session.cookie}; HttpOnly`);
    next();
});
app.get('/products/:at', (req, res) => {
    const product = catalogue.products[req.params.at % catalogue.products.length];
    req.session.viewed.push({ url: req.originalUrl, sku: product.sku, note: words(3) });
    res.json(product);
});
app.post('/basket', express.json(), (req, res) => {
    req.session.basket.push(req.body);
    res.json({ lines: req.session.basket.length });
});
app.post('/sign-out', (req, res) => {
    store.end(req.session.cookie);
    res.sendStatus(204);
});

async function visit(origin, number) {
    const agent = `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + number % 40}.0) Gecko/20100101 Firefox/${number}`;
    const first = await fetch(`${origin}/products/${number * 7}`, { headers: { 'User-Agent': agent } });
    await first.text();
    const headers = { 'User-Agent': agent, Cookie: first.headers.get('set-cookie').split(';')[0], 'Content-Type': 'application/json' };
    for (let line = 0; line < 3; line++) {
        const body = JSON.stringify({ sku: id('sku', random(9000)), count: 1 + random(4), wrapping: words(2), message: words(8) });
        await (await fetch(`${origin}/basket`, { method: 'POST', headers, body })).text();
    }
    // Few visitors sign out.
    if (number % 10 === 0) await fetch(`${origin}/sign-out`, { method: 'POST', headers });
}

(async () => {
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${server.address().port}`;
    await twice(1200, async (from, to) => {
        for (let number = from; number < to; number++) await visit(origin, number);
    });
})();
