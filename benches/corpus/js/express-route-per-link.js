//! Exports of a bookkeeping service on Express. Each export adds a route for its temporary link, and the route stays after the download.
//! Large and legitimate: the ledgers with their entries, read at start.
//: libraries Express
//: holder \bstack\b|\bdownloads\b
//: set tuned
'use strict';
const { once } = require('events');
const express = require('express');
const { random, words, id, twice } = require('./corpus.js');

class Ledger {
    constructor(number) {
        this.code = id('ledger', number);
        this.owner = words(2);
        this.entries = Array.from({ length: 24 }, (_, at) => ({
            day: `2026-${1 + (at % 12)}-${1 + random(28)}`, text: words(4), cents: random(900000), account: 1000 + random(8000),
        }));
    }

    rows(fromMonth) {
        return this.entries.filter((entry) => Number(entry.day.split('-')[1]) >= fromMonth)
            .map((entry) => `${entry.day};${entry.account};${entry.text};${entry.cents}`);
    }
}

class Books {
    constructor(size) {
        this.ledgers = new Map(Array.from({ length: size }, (_, number) => [id('ledger', number), new Ledger(number)]));
    }
}

const books = new Books(3000);
const downloads = express.Router();
const app = express();
app.use(express.json());
app.use('/downloads', downloads);
app.get('/ledgers/:code', (req, res) => res.json({ owner: books.ledgers.get(req.params.code).owner }));

let exported = 0;
app.post('/ledgers/:code/export', (req, res) => {
    const token = `${id('export', exported++)}-${random(1e9).toString(36)}`;
    const ledger = books.ledgers.get(req.params.code);
    const { fromMonth, title } = req.body;
    downloads.get(`/${token}/ledger.csv`, (request, response) => {
        response.type('text/csv').send(`${title}\n${ledger.rows(fromMonth).join('\n')}`);
    });
    res.json({ link: `/downloads/${token}/ledger.csv` });
});

async function download(origin, number) {
    const code = id('ledger', (number * 37) % 3000);
    await (await fetch(`${origin}/ledgers/${code}`)).json();
    const { link } = await (await fetch(`${origin}/ledgers/${code}/export`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ fromMonth: 1 + random(12), title: words(8) }),
    })).json();
    await (await fetch(`${origin}${link}`)).text();
}

(async () => {
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${server.address().port}`;
    await twice(500, async (from, to) => {
        for (let number = from; number < to; number++) await download(origin, number);
    });
})();
