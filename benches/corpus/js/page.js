// What the programs with a page share: the page in headless Chromium, driven over the DevTools protocol, and two snapshots of it.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

const OPTIONS = [
    '--headless', '--disable-gpu', '--no-first-run', '--disable-extensions', '--disable-background-networking',
    // Chromium refuses to start with its sandbox as root; the only page is our own.
    '--no-sandbox',
    // The protocol over the descriptors 3 and 4: no port to choose, none to wait for.
    '--remote-debugging-pipe',
];

class Browser {
    constructor(folder) {
        const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'];
        this.process = spawn('chromium', [...OPTIONS, `--user-data-dir=${path.join(folder, 'profile')}`], { stdio });
        this.waiting = new Map();
        this.listeners = new Map();
        this.sent = 0;
        this.parts = [];
        this.process.stdio[4].on('data', (data) => this.receive(data));
        this.ended = new Promise((resolve) => this.process.on('exit', resolve));
        const fail = (reason) => {
            for (const { reject } of this.waiting.values()) reject(new Error(`chromium: ${reason}`));
        };
        // A write to a browser that did not start fails too; the reason is in the event of the process.
        this.process.stdio[3].on('error', () => {});
        this.process.on('error', (error) => fail(error.message));
        this.process.on('exit', (code) => fail(`ended with status ${code}`));
    }

    /** Messages end with a zero byte; a large one arrives in many parts. */
    receive(data) {
        for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0)) {
            this.handle(JSON.parse(Buffer.concat([...this.parts, data.subarray(0, end)]).toString()));
            this.parts = [];
            data = data.subarray(end + 1);
        }
        if (data.length) this.parts.push(data);
    }

    handle({ id, method, params, result, error }) {
        if (id === undefined) {
            this.listeners.get(method)?.(params);
            return;
        }
        const { resolve, reject } = this.waiting.get(id);
        this.waiting.delete(id);
        if (error) reject(new Error(error.message));
        else resolve(result);
    }

    send(method, params = {}) {
        const id = ++this.sent;
        this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }

    async open(url) {
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        this.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
        await this.send('Page.enable');
        const loaded = new Promise((resolve) => this.listeners.set('Page.loadEventFired', resolve));
        await this.send('Page.navigate', { url });
        await loaded;
    }

    async evaluate(expression) {
        const { exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }

    async snapshot(file) {
        const out = fs.openSync(file, 'w');
        this.listeners.set('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => fs.writeSync(out, chunk));
        await this.send('HeapProfiler.enable');
        await this.send('HeapProfiler.collectGarbage');
        await this.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
        await this.send('HeapProfiler.disable');
        fs.closeSync(out);
    }

    async close() {
        this.session = undefined;
        await this.send('Browser.close');
        await this.ended;
    }
}

/**
 * Opens a page with the elements `body` and the script `application`, which gets the values of values.js and returns the work;
 * runs `each` requests, makes the first snapshot, runs as many more, makes the second. `application` runs in the page: it sees
 * nothing of the program's file but itself.
 */
async function twice(each, body, application) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'page-'));
    const values = fs.readFileSync(path.join(__dirname, 'values.js'), 'utf8');
    fs.writeFileSync(path.join(folder, 'values.js'), `const values = (() => {\nconst module = {};\n${values}\nreturn module.exports;\n})();\n`);
    fs.writeFileSync(path.join(folder, 'application.js'), `const work = (${application})(values);\n`);
    const page = path.join(folder, 'index.html');
    fs.writeFileSync(page, `<!doctype html><meta charset="utf-8">${body}<script src="values.js"></script><script src="application.js"></script>`);
    const browser = new Browser(folder);
    try {
        await browser.open(`file://${page}`);
        await browser.evaluate(`work(0, ${each})`);
        await browser.snapshot(process.argv[2]);
        await browser.evaluate(`work(${each}, ${2 * each})`);
        await browser.snapshot(process.argv[3]);
        await browser.close();
    } finally {
        browser.process.kill();
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

module.exports = { twice };
