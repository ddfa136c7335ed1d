//! Healthy: an importer of music files. Each import is a pipeline of streams that waits where its sink is slow; it has its own context in an
//! AsyncLocalStorage and a signal that is not aborted. Large: the labels, the works with their titles, the last 400 imports.
//: libraries Node.js
//: own \b(works|labels|byTitle|recent|running)\b|Archive
//: set tuned
'use strict';
const { AsyncLocalStorage } = require('async_hooks');
const { once, EventEmitter } = require('events');
const { Readable, Transform, Writable } = require('stream');
const { pipeline } = require('stream/promises');
const { random, words, id, twice } = require('./corpus.js');

class Work {
    constructor(number) {
        this.number = id('work', number);
        this.title = words(4);
        this.composer = words(2);
        this.movements = Array.from({ length: 4 }, (_, at) => ({ at, name: words(3), seconds: 60 + random(900) }));
    }
}

class Archive {
    constructor(size, labels) {
        this.works = Array.from({ length: size }, (_, number) => new Work(number));
        this.byTitle = new Map();
        for (const work of this.works) {
            const found = this.byTitle.get(work.title) || [];
            found.push(work);
            this.byTitle.set(work.title, found);
        }
        this.labels = Array.from({ length: labels }, (_, number) => ({ code: id('label', number), name: words(3), address: words(7) }));
    }
}

const context = new AsyncLocalStorage();

class Importer extends EventEmitter {
    constructor(archive) {
        super();
        this.archive = archive;
        this.running = new Map();
        this.recent = [];
    }

    async run(number) {
        const stop = new AbortController();
        const job = { number: id('import', number), label: this.archive.labels[random(this.archive.labels.length)], tracks: 0 };
        this.running.set(job.number, stop);
        const started = once(this, 'started');
        await context.run(job, async () => {
            this.emit('started', job.number);
            await started;
            await pipeline(this.tracks(number), this.matching(), this.sink(), { signal: stop.signal });
        });
        this.running.delete(job.number);
        this.keep({ number: job.number, tracks: job.tracks, label: job.label.code });
    }

    keep(line) {
        this.recent.push(line);
        if (this.recent.length > 400) this.recent.shift();
    }

    tracks(number) {
        return Readable.from((function* read(works) {
            for (let at = 0; at < 30; at++) yield { title: works[(number * 31 + at) % works.length].title, seconds: random(900) };
        })(this.archive.works), { highWaterMark: 4 });
    }

    matching() {
        return new Transform({
            objectMode: true,
            highWaterMark: 4,
            transform: (track, encoding, done) => done(null, { ...track, works: this.archive.byTitle.get(track.title) || [] }),
        });
    }

    sink() {
        return new Writable({
            objectMode: true,
            highWaterMark: 2,
            write(track, encoding, done) {
                context.getStore().tracks += track.works.length;
                setImmediate(done);
            },
        });
    }
}

const importer = new Importer(new Archive(9000, 5000));
// The list of the last imports was read from a file.
for (let number = 0; number < 400; number++) importer.keep({ number: id('import', 900000 + number), tracks: random(40), label: id('label', number) });

twice(300, async (from, to) => {
    for (let number = from; number < to; number++) await importer.run(number);
});
