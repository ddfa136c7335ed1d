//! Logs of dives with RxJS. Each dive is a BehaviorSubject that is merged into one observable of all depths; a dive that ends is taken from the table of open dives, but is
//! not completed, so that the merge stays subscribed to it. Beside it: the divers, the sites with their charts, and the tides, replaced all the time.
//: libraries RxJS
//: holder \b_finalizers\b|\bdives\b
//: set aside
'use strict';
const { BehaviorSubject, Subject, mergeAll, filter } = require('rxjs');
const { random, words, id, twice } = require('./corpus.js');

class DiveCentre {
    constructor() {
        this.divers = new Map(Array.from({ length: 12000 }, (_, number) => [id('diver', number), { name: words(2), brevet: words(1), since: new Date(1.5e12 + number * 1e6), text: words(5) }]));
        this.sites = Array.from({ length: 700 }, () => ({ name: words(3), chart: Array.from({ length: 60 }, () => random(9000) / 100 + 0.001) }));
        this.tides = Array.from({ length: 1500 }, () => ({ metres: random(500) / 100 + 0.001, text: words(3) }));
        this.open = new Map();
        this.dives = new Subject();
        this.alarms = 0;
        this.dives.pipe(mergeAll(), filter(({ depth }) => depth > 39)).subscribe(() => this.alarms++);
    }

    dive(number) {
        const depths = new BehaviorSubject({ depth: 0, diver: id('diver', random(12000)), site: this.sites[random(700)], notes: words(12) });
        this.open.set(number, depths);
        this.dives.next(depths);
        for (let minute = 0; minute < 8; minute++) depths.next({ ...depths.value, depth: random(42), minute });
        this.tides[number % 1500] = { metres: random(500) / 100 + 0.001, text: words(3) };
        this.open.delete(number - 100);
    }
}

const centre = new DiveCentre();
twice(3500, (from, to) => {
    for (let number = from; number < to; number++) centre.dive(number);
});
