//! Positions of taxis, grouped by ride with groupBy of RxJS, which has no duration: a group for each ride ever made.
//! Beside it, larger: the street names, drivers with their last positions, bounded, and fares that are read anew.
//: libraries RxJS
//: holder RideMeter\.positions|\bgroups\b
//: set tuned
//: leak 12.7
'use strict';
const { Subject, groupBy, mergeMap, scan } = require('rxjs');
const { random, words, id, twice } = require('./corpus.js');

class City {
    constructor(streets) {
        this.streets = new Map(Array.from({ length: streets }, (_, number) => [id('street', number), { name: words(2), district: words(1), metres: random(4000) }]));
    }

    street() {
        return this.streets.get(id('street', random(this.streets.size)));
    }
}

class Driver {
    constructor(number) {
        this.name = words(2);
        this.plate = `B-TX ${1000 + number}`;
        this.track = [];
    }

    move(position) {
        this.track.push(position);
        if (this.track.length > 25) this.track.shift();
    }
}

class RideMeter {
    constructor() {
        this.city = new City(100000);
        this.drivers = Array.from({ length: 350 }, (_, number) => new Driver(number));
        this.fares = this.readFares();
        this.positions = new Subject();
        this.total = 0;
        this.positions
            .pipe(
                groupBy((position) => position.ride),
                mergeMap((ride) => ride.pipe(scan((sum, position) => ({ ride: sum.ride, cents: sum.cents + position.cents, streets: [...sum.streets, position.street] }), { ride: ride.key, cents: 350, streets: [] }))),
            )
            .subscribe((bill) => {
                this.total += bill.cents;
            });
    }

    readFares() {
        return Array.from({ length: 24 * 60 }, (_, minute) => ({ minute, cents: 120 + random(90), remark: words(3) }));
    }

    drive(request) {
        if (request % 700 === 699) this.fares = this.readFares();
        const driver = this.drivers[request % this.drivers.length];
        for (let step = 0; step < 6; step++) {
            const street = this.city.street();
            const position = { ride: id('ride', request), at: request * 60 + step, street, cents: this.fares[random(1440)].cents, note: `${street.name} ${random(200)}` };
            driver.move(position);
            this.positions.next(position);
        }
    }
}

const meter = new RideMeter();
twice(1600, async (from, to) => {
    for (let request = from; request < to; request++) meter.drive(request);
});
