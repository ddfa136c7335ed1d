//! Label printers of a warehouse. The labels of each printer are printed one after the other with concatMap of RxJS. A printer that waits for paper
//! never completes its label, so that those behind it pile up. Beside it, much larger: articles, printed labels in a bounded list, and stock by bin.
//: libraries RxJS
//: holder \bbuffer\b|\bprinters\b|\blabels\b
//: set tuned
'use strict';
const { Subject, concatMap, NEVER, of, tap } = require('rxjs');
const { random, words, id, twice } = require('./corpus.js');

class Printer {
    constructor(number, printed) {
        this.name = id('printer', number);
        this.outOfPaper = false;
        this.labels = new Subject();
        this.labels.pipe(concatMap((label) => (this.outOfPaper ? NEVER : of(label))), tap(printed)).subscribe();
    }
}

class Warehouse {
    constructor() {
        this.articles = Array.from({ length: 30000 }, (_, number) => ({ number: id('article', number), title: words(4), supplier: words(2), pieces: random(900) }));
        this.stockByBin = new Map(Array.from({ length: 26000 }, (_, number) => [id('bin', number), { article: this.articles[number], pieces: random(90), counted: `2026-01-${1 + random(28)}`, by: words(2) }]));
        this.lastPrinted = [];
        this.printers = Array.from({ length: 40 }, (_, number) => new Printer(number, (label) => this.printed(label)));
    }

    printed(label) {
        this.lastPrinted.push(label);
        if (this.lastPrinted.length > 3000) this.lastPrinted.splice(0, 1000);
    }

    pick(request) {
        const bin = id('bin', random(26000));
        const stock = this.stockByBin.get(bin);
        this.stockByBin.set(bin, { ...stock, pieces: stock.pieces - 1, by: words(2) });
        if (request === 300) this.printers[7].outOfPaper = this.printers[21].outOfPaper = true;
        this.printers[request % 40].labels.next({ bin, article: stock.article.number, customer: words(3), street: words(3), code: `(00)${random(1e9)}${random(1e9)}`, zpl: `^XA^FO50,60^FD${words(12)}^FS^XZ` });
    }
}

const warehouse = new Warehouse();
twice(18000, async (from, to) => {
    for (let request = from; request < to; request++) warehouse.pick(request);
});
