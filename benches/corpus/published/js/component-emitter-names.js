//! Barges report to a canal office over one emitter, with component-emitter 1.2.1. An event of its own tells the end of each passage. Its listener is removed, but its empty
//! list stays in `_callbacks`. Large and legitimate: the locks of the canals, read at start.
//: package component-emitter@1.2.1
//: fixed component-emitter@1.3.0
//: issue socketio/engine.io-client#552
//: libraries component-emitter
//: holder _callbacks
//: set aside
'use strict';
const Emitter = require('component-emitter');
const { random, words, id, twice } = require('../../js/corpus.js');

class CanalOffice {
    constructor() {
        this.passages = new Emitter();
        this.locks = Array.from({ length: 12000 }, (_, number) => ({ code: id('lock', number), place: words(3), metres: random(1000) / 100, keeper: words(2), hours: [random(24), random(24)] }));
        this.minutes = 0;
    }

    passage(number) {
        const lock = this.locks[random(12000)];
        const name = `passed ${id('barge', number)} ${lock.code}`;
        const passed = (minutes) => {
            this.minutes += minutes;
            this.passages.off(name, passed);
        };
        this.passages.on(name, passed);
        this.passages.emit(name, 5 + random(40));
    }
}

const office = new CanalOffice();
twice(25000, async (from, to) => {
    for (let number = from; number < to; number++) {
        office.passage(number);
        if (number % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
