//! A simulator of devices that makes its stand-ins with sinon 6 and never calls `restore`: the default sandbox keeps each stub in its
//! variable `collection`.
//: package sinon@6.1.3
//: issue sinonjs/sinon#1866
//: libraries sinon
//: holder collection
//: set tuned
'use strict';
const sinon = require('sinon');
const { random, words, id, twice } = require('../../js/corpus.js');

const devices = Array.from({ length: 2500 }, (_, number) => ({ code: id('device', number), model: words(2), site: words(1) }));

function simulate(number) {
    const device = devices[random(devices.length)];
    const send = sinon.stub();
    send.withArgs(device.code).returns({ accepted: true, at: number, note: words(5) });
    return send(device.code).accepted;
}

let accepted = 0;

twice(110, async (from, to) => {
    for (let number = from; number < to; number++) {
        if (simulate(number)) accepted++;
        await new Promise((resolve) => setImmediate(resolve));
    }
});
