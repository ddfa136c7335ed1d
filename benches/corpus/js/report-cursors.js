//! Reports of a warehouse read their rows through a generator, which takes itself out of the set of open cursors at its end. A reader who breaks off with `next`
//! alone never ends it. Beside it: the stock, and the last reports.
//: libraries Node.js
//: holder \bopenCursors\b
//: set tuned
//: leak 16.1
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Warehouse {
    constructor() {
        this.stock = Array.from({ length: 20000 }, (_, number) => ({ bin: id('bin', number), article: words(3), pieces: random(500), counted: words(1) }));
        this.openCursors = new Set();
        this.lastReports = [];
    }

    cursor(request) {
        const filter = { request: id('report', request), words: words(5).split(' '), user: words(2) };
        const rows = this.rows(filter);
        this.openCursors.add(rows);
        return rows;
    }

    *rows(filter) {
        const page = [];
        for (const entry of this.stock) {
            if (filter.words.includes(entry.counted)) {
                page.push(`${entry.bin}: ${entry.pieces} of ${entry.article}`);
                yield page;
            }
        }
    }

    report(request) {
        const rows = this.cursor(request);
        for (let row = 0; row < 6; row++) rows.next();
        if (request % 3 === 0) {
            rows.return();
            this.openCursors.delete(rows);
        }
        this.lastReports.push({ number: id('report', request), summary: words(20) });
        if (this.lastReports.length > 600) this.lastReports.shift();
    }
}

const warehouse = new Warehouse();
twice(4500, (from, to) => {
    for (let request = from; request < to; request++) warehouse.report(request);
});
