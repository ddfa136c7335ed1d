'use strict';
// Pool of worker threads that resize images. Workers are started and never terminated.

const path = require('path');
const { Worker } = require('worker_threads');

class ResizePool {
    constructor() {
        this.workers = [];
    }

    async grow(count) {
        for (let index = 0; index < count; index++) {
            const worker = new Worker(path.join(__dirname, 'resize-worker.js'));
            await new Promise((done) => worker.once('message', done));
            this.workers.push(worker);
        }
    }

    async ask(question) {
        const answers = [];
        for (const worker of this.workers) {
            worker.postMessage(question);
            answers.push(await new Promise((done) => worker.once('message', done)));
        }
        return answers;
    }

    async terminate() {
        await Promise.all(this.workers.map((worker) => worker.terminate()));
        this.workers.length = 0;
    }
}

module.exports = { pool: new ResizePool() };
