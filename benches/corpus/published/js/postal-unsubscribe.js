//! Auction views wait for the next bid over postal.js 0.8.9 and unsubscribe as soon as it comes. To unsubscribe while a message is published is put off; what was put off is then
//! taken as done, so that `subscriptions` of the bus keeps each view. Large and legitimate: the lots, read at start.
//: package postal@0.8.9 underscore@1.8.3
//: fixed postal@0.8.11 underscore@1.8.3
//: issue postaljs/postal.js#53
//: libraries postal.js
//: holder \bsubscriptions\b|localBus
//: set aside
'use strict';
const postal = require('postal')(require('underscore'));
const { random, words, id, twice } = require('../../js/corpus.js');

class AuctionHouse {
    constructor() {
        this.lots = Array.from({ length: 12000 }, (_, number) => ({ number: id('lot', number), title: words(4), seller: words(2), cents: 1000 + random(90000), marks: [words(2), words(2)] }));
        this.bids = postal.channel('bids');
        this.seen = 0;
    }

    view(number) {
        const page = { visitor: id('visitor', number), lot: this.lots[random(12000)], lines: [words(6), words(6)], shown: null };
        const subscription = this.bids.subscribe('bid.placed', (bid) => {
            page.shown = `${bid.lot} ${bid.cents}`;
            this.seen++;
            subscription.unsubscribe();
        });
    }

    bid() {
        const lot = this.lots[random(12000)];
        this.bids.publish('bid.placed', { lot: lot.number, cents: lot.cents + random(900) });
    }
}

const house = new AuctionHouse();
twice(4000, async (from, to) => {
    for (let number = from; number < to; number++) {
        house.view(number);
        if (number % 2) house.bid();
        if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
