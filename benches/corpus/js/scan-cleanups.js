//! Scans of a museum. Each scan registers what to tidy up at the end of the process, a function that keeps its scan, in an array of the module. Beside it: the
//! register of objects, and previews in a Map with a bound that is full before the first snapshot.
//: libraries Node.js
//: holder \bcleanups\b
//: set tuned
//: leak 7.3
'use strict';
const { random, words, id, twice } = require('./corpus.js');

const cleanups = [];

function atEnd(work) {
    cleanups.push(work);
}

process.on('exit', () => cleanups.forEach((work) => work()));

class Previews {
    constructor(bound) {
        this.bound = bound;
        this.previewByScan = new Map();
    }

    add(scan, preview) {
        this.previewByScan.set(scan, preview);
        if (this.previewByScan.size > this.bound) this.previewByScan.delete(this.previewByScan.keys().next().value);
    }
}

class Museum {
    constructor() {
        this.register = Array.from({ length: 16000 }, (_, number) => ({ inventory: id('object', number), title: words(4), room: random(60), materials: words(3).split(' ') }));
        this.previews = new Previews(900);
    }

    scan(request) {
        const object = this.register[random(this.register.length)];
        const lines = Array.from({ length: 5 }, () => words(4));
        let open = true;
        atEnd(() => {
            if (open) open = lines.length > 0 && object.room < 0;
        });
        this.previews.add(id('scan', request), { object, text: words(12), pixels: Array.from({ length: 30 }, () => random(255)) });
    }
}

const museum = new Museum();
twice(5000, (from, to) => {
    for (let request = from; request < to; request++) museum.scan(request);
});
