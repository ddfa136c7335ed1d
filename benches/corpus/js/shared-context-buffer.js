//! A photo laboratory. A small function that tells the status of an order is kept; it shares its context with the function that
//! made the thumbnail, so the raw picture stays too. Large and legitimate: colour tables in typed arrays, and the papers.
//: libraries Node.js
//: holder \bstatusByOrder\b
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class ColourTable {
    constructor(name, size) {
        this.name = name;
        this.red = Float32Array.from({ length: size }, (_, at) => at / size);
        this.green = Float32Array.from({ length: size }, (_, at) => (at * 7 % size) / size);
        this.blue = Float32Array.from({ length: size }, (_, at) => (at * 11 % size) / size);
    }
}

class Paper {
    constructor(number) {
        this.code = id('paper', number);
        this.name = words(3);
        this.size = `${10 + random(40)}x${10 + random(60)} cm`;
        this.finish = words(1);
        this.price = random(4000) / 100;
    }
}

class Order {
    constructor(number) {
        this.number = id('order', number);
        this.customer = words(2);
        this.paper = id('paper', random(6000));
        this.copies = 1 + random(5);
    }
}

class Laboratory {
    constructor() {
        this.tables = Array.from({ length: 8 }, (_, at) => new ColourTable(`profile ${at}`, 49 * 49 * 49));
        this.papers = new Map(Array.from({ length: 6000 }, (_, number) => [id('paper', number), new Paper(number)]));
        this.statusByOrder = new Map();
        this.bytes = 0;
    }

    develop(order, raw) {
        const { red } = this.tables[order.copies];
        let step = 'received';

        const thumbnail = () => {
            const small = new Uint8Array(64);
            for (let at = 0; at < small.length; at++) small[at] = 255 * red[(raw[at * 300] * 141) % red.length];
            return small;
        };

        this.bytes += thumbnail().length;
        step = 'printed';
        // The site asks for the status of the orders of the last weeks.
        this.statusByOrder.set(order.number, () => `${order.customer}: ${step}`);
    }

    status(number) {
        const tell = this.statusByOrder.get(number);
        return tell ? tell() : 'unknown';
    }
}

const laboratory = new Laboratory();

/** A picture as it comes from the upload. */
function upload() {
    const raw = Buffer.alloc(20 * 1024 + random(8) * 1024);
    for (let at = 0; at < raw.length; at += 64) raw[at] = random(251);
    return raw;
}

twice(120, (from, to) => {
    for (let number = from; number < to; number++) {
        laboratory.develop(new Order(number), upload());
        laboratory.status(id('order', number - 3));
    }
});
