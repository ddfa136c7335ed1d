//! Healthy: checksums of recordings. Buffers come from a pool and go back to it, two workers calculate, and a job is forgotten
//! when its answer is there. Large: the pool, the table of recordings, the table of frequencies.
//: libraries Node.js
//: own \b(free|recordings|frequencies|waiting|workers)\b|BufferPool|Studio
//: set tuned
'use strict';
const { Worker } = require('worker_threads');
const { random, words, id, twice } = require('./corpus.js');

const CODE = `
    const { parentPort } = require('worker_threads');
    const { createHash } = require('crypto');
    parentPort.on('message', ({ job, bytes }) => {
        parentPort.postMessage({ job, sum: createHash('sha256').update(bytes).digest('hex') });
    });`;

class BufferPool {
    constructor(count, size) {
        this.free = Array.from({ length: count }, () => Buffer.alloc(size));
    }

    take() {
        return this.free.pop();
    }

    give(buffer) {
        this.free.push(buffer.fill(0));
    }
}

class Recording {
    constructor(number) {
        this.code = id('recording', number);
        this.artist = words(2);
        this.title = words(4);
        this.seconds = random(600);
        this.sum = null;
    }
}

class WorkerPool {
    constructor(count) {
        this.waiting = new Map();
        this.jobs = 0;
        this.workers = Array.from({ length: count }, () => {
            const worker = new Worker(CODE, { eval: true });
            worker.on('message', ({ job, sum }) => {
                this.waiting.get(job)(sum);
                this.waiting.delete(job);
            });
            return worker;
        });
    }

    sum(bytes) {
        const job = this.jobs++;
        return new Promise((resolve) => {
            this.waiting.set(job, resolve);
            this.workers[job % this.workers.length].postMessage({ job, bytes });
        });
    }
}

class Studio {
    constructor() {
        this.pool = new BufferPool(48, 64 * 1024);
        this.recordings = Array.from({ length: 16000 }, (_, number) => new Recording(number));
        this.frequencies = Float64Array.from({ length: 200000 }, (_, at) => 440 * 2 ** (at / 200000));
        this.workers = new WorkerPool(2);
    }

    async check(recording) {
        const buffer = this.pool.take();
        for (let at = 0; at < buffer.length; at += 16) buffer[at] = this.frequencies[at] * (1 + random(5));
        recording.sum = await this.workers.sum(buffer);
        this.pool.give(buffer);
    }
}

const studio = new Studio();
// Sums of an earlier night were read from a file.
for (const recording of studio.recordings) recording.sum = `${words(2).replace(' ', '')}${id('', random(1000000))}`;

twice(600, async (from, to) => {
    for (let number = from; number < to; number += 4) {
        await Promise.all([0, 1, 2, 3].map((at) => studio.check(studio.recordings[(number + at) * 11 % 16000])));
    }
});
