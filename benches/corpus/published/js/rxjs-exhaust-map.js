//! A monitor that polls its sensors with `exhaustMap` of RxJS 5.0.0-beta.2: the finished inner subscriptions stay in `_subscriptions` of the
//! subscriber. Large and legitimate: the readings of last year.
//: package rxjs@5.0.0-beta.2
//: fixed rxjs@5.0.0-beta.3
//: issue ReactiveX/rxjs#1391
//: libraries RxJS
//: holder \w+Subscriber\._subscriptions
//: set tuned
'use strict';
const Rx = require('rxjs/Rx.KitchenSink');
const { random, words, id, twice } = require('../../js/corpus.js');

class Reading {
    constructor(number) {
        this.sensor = id('sensor', number % 700);
        this.at = 1732000000000 + number * 1000;
        this.value = random(10000) / 10;
        this.note = { text: words(3), by: words(1) };
    }
}

class Monitor {
    constructor(size) {
        this.history = Array.from({ length: size }, (_, number) => new Reading(number));
        this.ticks = new Rx.Subject();
        this.latest = undefined;
        this.ticks
            .exhaustMap((tick) => this.poll(tick))
            .subscribe((reading) => {
                this.latest = reading;
            });
    }

    poll(tick) {
        return Rx.Observable.create((observer) => {
            const request = { tick, sensor: id('sensor', random(700)), trace: words(8) };
            setImmediate(() => {
                observer.next({ sensor: request.sensor, value: random(10000) / 10 });
                observer.complete();
            });
        });
    }
}

const monitor = new Monitor(14000);

twice(5000, async (from, to) => {
    for (let number = from; number < to; number++) {
        monitor.ticks.next(number);
        await new Promise((resolve) => setImmediate(resolve));
        await new Promise((resolve) => setImmediate(resolve));
    }
});
