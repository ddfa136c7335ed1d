//! An importer of customs data listens to a channel of diagnostics_channel during each import, to count slow steps, and never unsubscribes. Beside it: the
//! tariff, and imports that wait for their answer.
//: libraries Node.js
//: holder _subscribers\b|\bimportSteps\b
//: set tuned
//: leak 7.1
'use strict';
const { channel } = require('diagnostics_channel');
const { random, words, id, twice } = require('./corpus.js');

const importSteps = channel('customs:import-step');

class Import {
    constructor(request, tariff) {
        this.number = id('import', request);
        this.lines = Array.from({ length: 6 }, () => ({ tariff: tariff[random(tariff.length)], text: words(5), weight: random(9000) / 10 + 0.01 }));
        this.slow = 0;
        importSteps.subscribe((message) => {
            if (message.import === this.number && message.milliseconds > 500) this.slow++;
        });
    }
}

class Customs {
    constructor() {
        this.tariff = Array.from({ length: 15000 }, (_, number) => ({ code: `${1000 + (number >> 4)}.${number % 16}`, goods: words(7), percent: random(200) / 10 + 0.05 }));
        this.waiting = new Map();
    }

    read(request) {
        const started = new Import(request, this.tariff);
        this.waiting.set(started.number, { import: started, sent: new Date(1.767e12 + request * 1000) });
        if (request % 40 === 0) importSteps.publish({ import: started.number, milliseconds: random(1000) });
        if (this.waiting.size > 120) this.waiting.delete(this.waiting.keys().next().value);
    }
}

const customs = new Customs();
twice(1800, (from, to) => {
    for (let request = from; request < to; request++) customs.read(request);
});
