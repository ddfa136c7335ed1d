//! A trading desk. A view of a portfolio subscribes to the ticks of the market, and is closed without unsubscribing.
//! Large and legitimate: the instruments, and a ReplaySubject of the last 6000 ticks, which is at its bound.
//: libraries RxJS
//: holder \bticks\b|Subject\.(observers|currentObservers)\b
//: set tuned
'use strict';
const { Subject, ReplaySubject } = require('rxjs');
const { filter, map, scan } = require('rxjs/operators');
const { random, words, id, twice } = require('./corpus.js');

class Instrument {
    constructor(number) {
        this.isin = `GB${String(number).padStart(10, '0')}`;
        this.issuer = words(3);
        this.currency = ['GBP', 'EUR', 'USD'][number % 3];
        this.calendar = { open: '08:00', close: '16:30', market: words(2) };
    }
}

class Tick {
    constructor(instrument, price) {
        this.instrument = instrument;
        this.price = price;
        this.at = 1764000000000 + random(86400000);
        this.venue = words(1);
    }
}

class Market {
    constructor(size) {
        this.instruments = Array.from({ length: size }, (_, number) => new Instrument(number));
        this.ticks = new Subject();
        this.tape = new ReplaySubject(6000);
        this.ticks.subscribe(this.tape);
    }

    trade(count) {
        for (let at = 0; at < count; at++) {
            const instrument = this.instruments[random(this.instruments.length)];
            this.ticks.next(new Tick(instrument, 100 + random(10000) / 100));
        }
    }
}

class PortfolioView {
    constructor(market, owner, positions) {
        this.owner = owner;
        this.positions = positions;
        this.chart = [];
        this.open = true;
        const wanted = new Set(positions.map(({ isin }) => isin));
        market.ticks.pipe(
            filter((tick) => wanted.has(tick.instrument.isin)),
            map((tick) => ({ isin: tick.instrument.isin, price: tick.price })),
            scan((last, now) => ({ ...now, change: now.price - last.price }), { price: 0 }),
        ).subscribe((row) => this.draw(row));
    }

    draw(row) {
        if (this.open) this.chart.push(row);
    }

    close() {
        this.open = false;
    }
}

const market = new Market(14000);
market.trade(6000);

twice(300, (from, to) => {
    for (let number = from; number < to; number++) {
        const positions = Array.from({ length: 10 }, () => ({
            isin: market.instruments[random(14000)].isin, pieces: 1 + random(900), remark: words(3),
        }));
        const view = new PortfolioView(market, id('client', number), positions);
        market.trade(5);
        view.close();
    }
});
