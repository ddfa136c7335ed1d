//! A server with a TypeDI 0.10 container for each request, emptied at its end on the container: `Container.instances` keeps the containers.
//! Large and legitimate: the flights, read at start.
//: package typedi@0.10.0 reflect-metadata@0.2.2
//: issue typestack/typedi#739
//: libraries TypeDI
//: holder Container\.instances
//: set tuned
'use strict';
require('reflect-metadata');
const { Container } = require('typedi');
const { random, words, id, twice } = require('../../js/corpus.js');

class Flight {
    constructor(number) {
        this.code = id('flight', number);
        this.route = { from: words(1), to: words(1), minutes: random(900) };
        this.seats = Array.from({ length: 4 }, () => ({ row: random(40), free: random(2) === 1 }));
    }
}

const flights = Array.from({ length: 8000 }, (_, number) => new Flight(number));

class Session {
    constructor() {
        this.log = Array.from({ length: 6 }, () => words(2));
    }

    search() {
        return flights[random(flights.length)].seats.filter(({ free }) => free).length;
    }
}

let free = 0;

function handle(number) {
    const container = Container.of(id('request', number));
    container.set('agent', words(6));
    container.set({ id: Session, type: Session });
    free += container.get(Session).search();
    container.reset();
}

twice(1600, async (from, to) => {
    for (let number = from; number < to; number++) {
        handle(number);
        if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
