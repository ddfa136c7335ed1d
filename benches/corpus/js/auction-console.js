//! The console of an auctioneer with React in jsdom. It stays open for the whole sale and adds each bid to its state, of which it shows the last twenty.
//! Beside it: the lots with their history, bidders, whose limits change, and the pictures of coming lots in a bounded shelf of buffers.
//: libraries React, jsdom
//: holder \bbids\b|memoizedState|baseState|\bqueue\b|lastRenderedState|BidConsole
//: set tuned
//: leak 14.2
'use strict';
const { JSDOM } = require('jsdom');
const { random, words, id, twice } = require('./corpus.js');

const page = new JSDOM('<!doctype html><div id="root"></div>', { url: 'https://auction.example/' });
global.window = page.window;
global.document = page.window.document;
global.navigator = page.window.navigator;
const React = require('react');
const { createRoot } = require('react-dom/client');
const { flushSync } = require('react-dom');
const h = React.createElement;

class SaleRoom {
    constructor() {
        this.lots = Array.from({ length: 9000 }, (_, number) => ({ number: id('lot', number), title: words(4), history: Array.from({ length: 5 }, () => ({ owner: words(2), year: 1700 + random(300) })), cents: random(1e7) }));
        this.bidders = new Map(Array.from({ length: 12000 }, (_, number) => [id('bidder', number), { name: words(2), limit: random(1e6), country: words(1) }]));
        this.pictures = new Map();
        this.listener = null;
    }

    picture(lot) {
        this.pictures.set(lot.number, { pixels: new Uint8Array(8000).fill(random(255)), caption: words(5) });
        if (this.pictures.size > 250) this.pictures.delete(this.pictures.keys().next().value);
    }

    bid(number) {
        const lot = this.lots[(number >> 4) % 9000];
        if (number % 4 === 0) this.picture(lot);
        const bidder = id('bidder', random(12000));
        this.bidders.set(bidder, { ...this.bidders.get(bidder), limit: random(1e6) });
        lot.cents += 5000;
        this.listener({ lot: lot.number, bidder, cents: lot.cents, at: new Date(1.767e12 + number * 900), channel: number % 3 ? `phone, ${words(3)}` : `room, ${words(2)}`, clerk: { name: words(2), remark: words(6) }, steps: [lot.cents + 5000, lot.cents + 10000.5] });
    }
}

const room = new SaleRoom();

function BidConsole() {
    const [bids, setBids] = React.useState([]);
    React.useEffect(() => {
        room.listener = (bid) => setBids((former) => [...former, bid]);
        return () => (room.listener = null);
    }, []);
    return h('section', null, h('h1', null, `${bids.length} bids`), h('ol', null, bids.slice(-20).map((bid) => h('li', { key: `${bid.lot} ${bid.cents}` }, `${bid.lot}: ${bid.cents} ${bid.channel}`))));
}

const root = createRoot(document.getElementById('root'));
flushSync(() => root.render(h(BidConsole)));

twice(9000, async (from, to) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let number = from; number < to; number++) {
        room.bid(number);
        if (number % 12 === 0) {
            flushSync(() => {});
            await new Promise((resolve) => setImmediate(resolve));
        }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
});
