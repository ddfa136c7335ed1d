//! A service that makes a winston 3 logger for each job and gives all of them one transport: each logger is piped into the transport,
//! whose listeners keep it. Large and legitimate: the parts in stock, read at start.
//: package winston@3.2.1
//: issue winstonjs/winston#1791
//: libraries winston
//: holder (Stream|Transport|transport)\w*\._events
//: set tuned
'use strict';
const { Writable } = require('stream');
const winston = require('winston');
const { random, words, id, twice } = require('../../js/corpus.js');

class Part {
    constructor(number) {
        this.code = id('part', number);
        this.name = words(3);
        this.pieces = random(500);
        this.supplier = { name: words(2), city: words(1) };
    }
}

class Workshop {
    constructor(size) {
        this.parts = Array.from({ length: size }, (_, number) => new Part(number));
        const sink = new Writable({ write: (chunk, encoding, done) => done() });
        this.transport = new winston.transports.Stream({ stream: sink });
        this.transport.setMaxListeners(0);
    }

    run(number) {
        const job = id('job', number);
        const log = winston.createLogger({ level: 'info', defaultMeta: { job, operator: words(2) }, transports: [this.transport] });
        const part = this.parts[random(this.parts.length)];
        log.info('took %s', part.code);
        part.pieces--;
        log.info('left %d', part.pieces);
    }
}

const workshop = new Workshop(9000);

twice(220, async (from, to) => {
    for (let number = from; number < to; number++) {
        workshop.run(number);
        await new Promise((resolve) => setImmediate(resolve));
    }
});
