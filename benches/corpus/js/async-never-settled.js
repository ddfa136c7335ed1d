//! A gateway of telemetry. A handler waits, in its AsyncLocalStorage context, for the acknowledgement of the uplink. The uplink
//! loses some: their promises never settle, and the table of waiting resolvers keeps the handlers with their batches.
//! Large and legitimate: the registry of devices, and the last frame of each.
//: libraries Node.js
//: holder \bwaitingAcks\b
//: set tuned
//: leak 6.5
'use strict';
const { AsyncLocalStorage } = require('async_hooks');
const { random, words, id, twice } = require('./corpus.js');

const requests = new AsyncLocalStorage();

class Device {
    constructor(number) {
        this.serial = id('device', number);
        this.site = words(2);
        this.firmware = `${random(4)}.${random(20)}.${random(100)}`;
        this.lastFrame = { at: 1764000000000 + number, values: Array.from({ length: 8 }, () => random(10000) / 7) };
    }
}

class Registry {
    constructor(size) {
        this.devices = new Map(Array.from({ length: size }, (_, number) => [id('device', number), new Device(number)]));
    }
}

class Uplink {
    constructor() {
        this.waitingAcks = new Map();
        this.sent = 0;
    }

    send(batch) {
        const number = ++this.sent;
        return new Promise((resolve) => {
            this.waitingAcks.set(number, resolve);
            // One answer in four is lost on the radio link.
            if (number % 4 !== 0) setImmediate(() => this.acknowledge(number, batch.length));
        });
    }

    acknowledge(number, count) {
        const resolve = this.waitingAcks.get(number);
        this.waitingAcks.delete(number);
        resolve(count);
    }
}

class Batch {
    constructor(device, rows) {
        this.device = device;
        this.rows = rows;
        this.label = words(3);
    }

    get length() {
        return this.rows.length;
    }
}

const registry = new Registry(14000);
const uplink = new Uplink();
let delivered = 0;

async function handle(serial, rows) {
    const device = registry.devices.get(serial);
    const batch = new Batch(device, rows);
    device.lastFrame = { at: rows[0].at, values: rows.slice(0, 8).map(({ value }) => value) };
    delivered += await uplink.send(batch);
    return { request: requests.getStore().request, label: batch.label };
}

function receive(number) {
    const rows = Array.from({ length: 40 }, (_, at) => ({ at: 1764000000000 + number * 40 + at, value: random(10000) / 7 }));
    const context = { request: id('request', number), user: words(2), trace: words(4) };
    requests.run(context, () => handle(id('device', random(14000)), rows));
}

twice(1400, async (from, to) => {
    for (let number = from; number < to; number++) {
        receive(number);
        if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
});
