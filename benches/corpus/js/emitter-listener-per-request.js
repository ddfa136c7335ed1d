//! A warehouse that tells open pages of changes of stock. Each request adds a listener to the warehouse; the listener of a
//! page that was closed stays. Large and legitimate: the shelves of the warehouse, and the log of movements, which is
//! kept for the day and was read from a file at start.
//: libraries Node.js
//: holder arehouse\._events|_events\.restocked
//: set tuned
'use strict';
const http = require('http');
const { EventEmitter, once } = require('events');
const { random, words, id, twice } = require('./corpus.js');

class Shelf {
    constructor(number) {
        this.code = id('shelf', number);
        this.article = words(3);
        this.pieces = random(500);
        this.supplier = { name: words(2), city: words(1), phone: `+44 20 7946 ${random(9999)}` };
    }
}

class Warehouse extends EventEmitter {
    constructor(size, movements) {
        super();
        // There is one listener for each open page.
        this.setMaxListeners(0);
        this.shelves = new Map();
        for (let number = 0; number < size; number++) {
            const shelf = new Shelf(number);
            this.shelves.set(shelf.code, shelf);
        }
        this.movements = Array.from({ length: movements }, (_, at) => ({ at, shelf: id('shelf', at % size), reason: words(4) }));
    }

    restock(code, pieces) {
        const shelf = this.shelves.get(code);
        shelf.pieces = pieces;
        this.emit('restocked', shelf);
    }
}

/** What an open page shows. */
class StockPage {
    constructor(response, wanted) {
        this.response = response;
        this.wanted = wanted;
        this.rows = wanted.map((code) => ({ code, label: words(4), seen: 0 }));
    }

    show(shelf) {
        const row = this.rows.find(({ code }) => code === shelf.code);
        if (row && !this.response.writableEnded) {
            row.seen = shelf.pieces;
            this.response.write(`data: ${JSON.stringify(shelf)}\n\n`);
        }
    }
}

const warehouse = new Warehouse(12000, 15000);

const server = http.createServer((request, response) => {
    const wanted = new URL(request.url, 'http://warehouse.example').searchParams.getAll('shelf');
    const page = new StockPage(response, wanted);
    warehouse.on('restocked', (shelf) => page.show(shelf));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': open\n\n');
    response.on('close', () => response.end());
});

function openPage(port, number) {
    const shelves = Array.from({ length: 8 }, (_, at) => `shelf=${id('shelf', (number * 8 + at) % 12000)}`).join('&');
    return new Promise((resolve, reject) => {
        const request = http.get({ port, host: '127.0.0.1', path: `/stock?${shelves}`, agent: false }, (response) => {
            response.once('data', () => {
                request.destroy();
                response.on('close', resolve);
            });
            response.on('error', () => {});
        });
        request.on('error', reject);
    });
}

(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    await twice(220, async (from, to) => {
        for (let number = from; number < to; number++) {
            await openPage(port, number);
            if (number % 20 === 0) warehouse.restock(id('shelf', number), random(500));
        }
    });
})();
