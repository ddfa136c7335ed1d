//! A service for press clippings decodes pages of newspapers (iconv-lite). It keeps headlines by number, cut from the text of the page; a slice of
//! a text holds the whole text. Beside it: last pages in a bounded cache (lru-cache), subscribers with their topics, and the day's counts of words.
//: libraries iconv-lite, lru-cache
//: holder \bheadlines\b
//: set tuned
//: leak 3.3
'use strict';
const iconv = require('iconv-lite');
const { LRUCache } = require('lru-cache');
const { random, words, id, twice } = require('./corpus.js');

class ClippingService {
    constructor() {
        this.subscribers = Array.from({ length: 22000 }, (_, number) => ({ number: id('subscriber', number), name: words(2), topics: [words(1), words(1), words(1)], delivered: 0, address: words(4) }));
        this.lastPages = new LRUCache({ max: 400 });
        this.headlines = new Map();
        this.countsToday = new Map();
    }

    fetch() {
        // A page as it comes from the newspaper.
        return iconv.encode(`<h1>${words(7)} – «${words(3)}»</h1><p>${words(230)}</p><footer>© ${words(2)}</footer>`, 'windows-1252');
    }

    clip(request) {
        const text = iconv.decode(this.fetch(), 'windows-1252');
        const headline = text.slice(4, text.indexOf('</h1>'));
        const number = id('clipping', request);
        this.headlines.set(number, headline);
        this.lastPages.set(number, { bytes: Buffer.byteLength(text), paragraphs: Array.from({ length: 10 }, () => words(14)), headline: number });
        if (request % 500 === 0) this.countsToday = new Map();
        for (const word of headline.split(' ')) {
            const key = `${word} ${request % 97}`;
            this.countsToday.set(key, (this.countsToday.get(key) || 0) + 1);
        }
        for (let found = 0; found < 20; found++) {
            const subscriber = this.subscribers[random(22000)];
            if (subscriber.topics.some((topic) => headline.includes(topic))) subscriber.delivered++;
        }
    }
}

const service = new ClippingService();
twice(1200, async (from, to) => {
    for (let request = from; request < to; request++) service.clip(request);
});
