//! Healthy: telemetry of wind turbines with RxJS. Views unsubscribe when they are closed; the tape of the last 5000 readings is
//! at its bound before the first visit. Large: the turbines, the tape.
//: libraries RxJS
//: own \b(turbines|tape|latest|_buffer)\b|WindPark
//: set tuned
'use strict';
const { Subject, ReplaySubject, BehaviorSubject } = require('rxjs');
const { bufferCount, filter, map, share, takeUntil } = require('rxjs/operators');
const { random, words, id, twice } = require('./corpus.js');

class Turbine {
    constructor(number) {
        this.name = id('turbine', number);
        this.site = words(2);
        this.parts = Array.from({ length: 6 }, () => ({ serial: `${random(999999)}`, maker: words(2), hours: random(60000) }));
        this.latest = new BehaviorSubject(0);
    }
}

class Reading {
    constructor(turbine) {
        this.turbine = turbine.name;
        this.kilowatts = random(3000) + 0.5;
        this.at = 1764000000000 + random(86400000);
        this.remark = words(2);
    }
}

class WindPark {
    constructor(size) {
        this.turbines = Array.from({ length: size }, (_, number) => new Turbine(number));
        this.readings = new Subject();
        this.tape = new ReplaySubject(5000);
        this.readings.subscribe(this.tape);
        this.averages = this.readings.pipe(
            bufferCount(10),
            map((some) => some.reduce((sum, { kilowatts }) => sum + kilowatts, 0) / some.length),
            share(),
        );
    }

    measure(count) {
        for (let at = 0; at < count; at++) {
            const turbine = this.turbines[random(this.turbines.length)];
            const reading = new Reading(turbine);
            turbine.latest.next(reading.kilowatts);
            this.readings.next(reading);
        }
    }
}

class ControlView {
    constructor(park, names) {
        this.closed = new Subject();
        this.rows = [];
        this.average = 0;
        park.readings.pipe(filter(({ turbine }) => names.has(turbine)), takeUntil(this.closed))
            .subscribe((reading) => this.rows.push(reading));
        park.averages.pipe(takeUntil(this.closed)).subscribe((average) => { this.average = average; });
        this.watched = park.turbines[random(park.turbines.length)].latest.subscribe((kilowatts) => { this.power = kilowatts; });
    }

    close() {
        this.closed.next();
        this.closed.complete();
        this.watched.unsubscribe();
    }
}

const park = new WindPark(3000);
park.measure(6000);
let shown = 0;

twice(900, (from, to) => {
    for (let number = from; number < to; number++) {
        const names = new Set(Array.from({ length: 12 }, () => id('turbine', random(3000))));
        const view = new ControlView(park, names);
        park.measure(20);
        shown += view.rows.length + view.average;
        view.close();
    }
});
