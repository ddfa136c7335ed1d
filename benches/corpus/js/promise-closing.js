//! A relay of telemetry waits for the answer of a device or for its own end with Promise.race. The promise of the end is one for all calls and is never
//! settled, so it keeps a reaction for each call, with the answer. Beside it: the devices, and the newest readings.
//: libraries Node.js
//: holder \bclosing\b|PromiseReaction|reactions_or_result
//: set tuned
//: leak 12.6
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Device {
    constructor(number) {
        this.name = id('device', number);
        this.place = words(4);
        this.limits = { low: random(400) / 10, high: 60 + random(300) / 10 + 0.05 };
    }
}

class Relay {
    constructor() {
        this.devices = new Map(Array.from({ length: 18000 }, (_, number) => [id('device', number), new Device(number)]));
        this.newest = [];
        this.closing = new Promise((_, reject) => { this.close = reject; });
    }

    async read(request) {
        const device = this.devices.get(id('device', random(18000)));
        return { device: device.name, values: Array.from({ length: 6 }, () => random(1000) / 7 + 0.01), note: words(6), request: id('request', request) };
    }

    async ask(request) {
        const reading = await Promise.race([this.read(request), this.closing]);
        this.newest.push(reading);
        if (this.newest.length > 800) this.newest.shift();
    }
}

const relay = new Relay();
twice(7000, async (from, to) => {
    for (let request = from; request < to; request++) await relay.ask(request);
});
