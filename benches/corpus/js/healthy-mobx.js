//! Healthy: the desk of an airport with MobX. Reactions of a closed view are disposed of, and a flight that departs leaves the observable map.
//! Large: the gates with their observable states, the airlines, the flights of the day, which were announced at start.
//: libraries MobX
//: own \b(gates|airlines|flights|flightsByNumber|log|values_|data_)\b|Airport|ObservableMap|ObservableObjectAdministration|ObservableValue
//: set tuned
'use strict';
const { makeObservable, observable, action, autorun, computed, reaction } = require('mobx');
const { random, words, id, twice } = require('./corpus.js');

class Gate {
    constructor(number) {
        this.name = `${'ABCD'[number % 4]}${number}`;
        this.isOpen = false;
        this.boarded = 0;
        makeObservable(this, { isOpen: observable, boarded: observable, board: action });
    }

    board(count) {
        this.isOpen = true;
        this.boarded += count;
    }
}

class Airline {
    constructor(number) {
        this.code = id('airline', number);
        this.name = words(2);
        this.fleet = Array.from({ length: 10 }, () => ({ registration: `HB-${random(1e6).toString(36)}`, seats: 100 + random(200) }));
    }
}

class Airport {
    constructor(gates, airlines, flights) {
        this.gates = Array.from({ length: gates }, (_, number) => new Gate(number));
        this.airlines = Array.from({ length: airlines }, (_, number) => new Airline(number));
        this.flightsByNumber = observable.map({}, { deep: false });
        this.log = [];
        makeObservable(this, { delayed: computed, depart: action, announce: action });
        for (let number = 0; number < flights; number++) this.announce(number);
    }

    get delayed() {
        return [...this.flightsByNumber.values()].filter((flight) => flight.delay > 30).length;
    }

    announce(number) {
        this.flightsByNumber.set(id('flight', number), {
            number: id('flight', number), to: words(2), airline: this.airlines[random(this.airlines.length)], delay: random(60), remarks: words(6),
        });
    }

    depart(number) {
        this.flightsByNumber.delete(id('flight', number));
        this.log.push(`${id('flight', number)} departed`);
        if (this.log.length > 300) this.log.shift();
    }
}

class DeskView {
    constructor(airport, user) {
        this.airport = airport;
        this.user = user;
        this.heading = '';
        this.bell = 0;
        this.disposers = [];
    }

    open(gate) {
        this.disposers.push(autorun(() => { this.heading = `${this.user}: ${this.airport.delayed} delayed`; }));
        this.disposers.push(reaction(() => gate.boarded, () => { this.bell++; }));
    }

    close() {
        for (const dispose of this.disposers) dispose();
        this.disposers.length = 0;
    }
}

const FLIGHTS = 6000;
const airport = new Airport(1500, 900, FLIGHTS);
// The log of the morning was full at start.
for (let line = 0; line < 300; line++) airport.log.push(`${id('flight', 900000 + line)} departed`);

twice(250, (from, to) => {
    for (let number = from; number < to; number++) {
        const gate = airport.gates[random(airport.gates.length)];
        const view = new DeskView(airport, id('user', number));
        view.open(gate);
        gate.board(1 + random(20));
        airport.depart(number);
        airport.announce(FLIGHTS + number);
        view.close();
    }
});
