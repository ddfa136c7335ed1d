//! Previews of parcel labels in one shared document of jsdom. Each preview makes a MutationObserver on it and never disconnects it.
//! Beside it: the postal codes, the shelf of finished labels as buffers and strings, bounded, and the document.
//: libraries jsdom
//: holder _registeredObserverList|activeMutationObservers
//: set tuned
//: leak 23.5
'use strict';
const { JSDOM } = require('jsdom');
const { random, words, id, twice } = require('./corpus.js');

class PostalCodes {
    constructor(count) {
        this.towns = new Map(Array.from({ length: count }, (_, number) => [String(10000 + number), { town: words(2), zone: random(9), depot: words(1) }]));
    }
}

class Preview {
    constructor(parcel, lines) {
        this.parcel = parcel;
        this.lines = lines;
        this.drawn = [];
    }

    changed(records) {
        if (this.drawn.length < 3) for (const record of records) this.drawn.push(record.type);
    }
}

class LabelStudio {
    constructor() {
        this.window = new JSDOM('<!doctype html><body><main id="sheet"></main><footer></footer></body>').window;
        this.codes = new PostalCodes(32000);
        this.finished = [];
        this.previews = 0;
        const { document } = this.window;
        for (let row = 0; row < 150; row++) {
            const cell = document.createElement('div');
            cell.className = 'cell';
            cell.setAttribute('data-size', String(row % 7));
            document.querySelector('footer').appendChild(cell);
        }
    }

    async preview(parcel) {
        const { document } = this.window;
        const sheet = document.getElementById('sheet');
        const place = this.codes.towns.get(String(10000 + random(32000)));
        const view = new Preview(parcel, Array.from({ length: 30 }, () => `${words(3)}, ${place.town} ${random(999)}`));
        const observer = new this.window.MutationObserver((records) => view.changed(records));
        observer.observe(sheet, { attributes: true, attributeFilter: ['data-printer'] });
        const label = document.createElement('section');
        for (const line of view.lines.slice(0, 4)) label.appendChild(document.createElement('p')).textContent = line;
        sheet.appendChild(label);
        if (++this.previews % 60 === 0) sheet.setAttribute('data-printer', `printer ${random(9)}`);
        await null;
        this.finished.push(Buffer.from(label.outerHTML).toString('base64'));
        if (this.finished.length > 600) this.finished.shift();
        sheet.removeChild(label);
        await null;
    }
}

(async () => {
    const studio = new LabelStudio();
    await twice(1000, async (from, to) => {
        for (let request = from; request < to; request++) await studio.preview(id('parcel', request));
    });
})();
