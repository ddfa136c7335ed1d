//! Exports of a register of land, which end early when the server stops: each adds a listener to the signal of the process's AbortController
//! and leaves it there. Beside it: the parcels of land, tables of iconv-lite, and the queue of chunks, which is filled and emptied.
//: libraries Node.js, iconv-lite
//: holder \bstopping\b|kEvents
//: set tuned
//: leak 9.8
'use strict';
const iconv = require('iconv-lite');
const { random, words, id, twice } = require('./corpus.js');

/** Aborted when the process gets a signal to end. */
const stopping = new AbortController();
require('events').setMaxListeners(0, stopping.signal);

class Register {
    constructor(parcels) {
        this.parcels = Array.from({ length: parcels }, (_, number) => ({ number: id('parcel', number), owner: words(2), metres: random(9000), corners: Array.from({ length: 4 }, () => random(1e6) + 0.5) }));
    }
}

class Export {
    constructor(number, rows) {
        this.number = number;
        this.rows = rows;
        this.header = Array.from({ length: 14 }, () => words(2));
        this.state = 'running';
    }

    cancel() {
        this.state = 'cancelled';
        this.rows = [];
    }

    *chunks() {
        yield iconv.encode(`${this.header.join(';')}\n`, 'win1252');
        for (const row of this.rows) yield iconv.encode(`${row.number};${row.owner};${row.metres}\n`, 'gbk');
    }
}

class ExportService {
    constructor() {
        this.register = new Register(36000);
        this.chunks = Array.from({ length: 2000 }, () => Buffer.from(words(6)));
    }

    async run(number) {
        const start = random(35000);
        const job = new Export(number, this.register.parcels.slice(start, start + 60));
        stopping.signal.addEventListener('abort', () => job.cancel());
        for (const chunk of job.chunks()) {
            this.chunks.push(chunk);
            if (this.chunks.length > 2000) this.chunks.shift();
        }
        job.state = 'finished';
        await null;
    }
}

const service = new ExportService();
twice(1400, async (from, to) => {
    for (let request = from; request < to; request++) await service.run(id('export', request));
});
