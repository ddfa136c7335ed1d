//! Healthy: the beds of a hospital with Immutable.js. The list for undo is cut to 50 states, and patients who leave are taken
//! out. Large: the state of the beds, the register of treatments.
//: libraries Immutable.js
//: own \b(treatments|state|beds|patients|undo|_root|_map|_list)\b|Hospital|Ward
//: set tuned
'use strict';
const { Map, OrderedMap, List, Record } = require('immutable');
const { random, words, id, twice } = require('./corpus.js');

const KEPT = 50;
const Bed = Record({ code: '', ward: '', patient: null, cleanedAt: 0 });
const Patient = Record({ number: '', name: '', treatments: List(), note: '' });
const Ward = Record({ beds: Map(), patients: OrderedMap() });

class Treatment {
    constructor(number) {
        this.code = id('treatment', number);
        this.title = words(5);
        this.text = words(16);
        this.steps = Array.from({ length: 5 }, () => words(3));
    }
}

class Hospital {
    constructor(beds) {
        this.treatments = Array.from({ length: 5000 }, (_, number) => new Treatment(number));
        this.undo = [];
        this.state = Ward().withMutations((ward) => {
            for (let number = 0; number < beds; number++) {
                const code = id('bed', number);
                ward.setIn(['beds', code], Bed({ code, ward: `ward ${number % 30}`, cleanedAt: number }));
            }
        });
    }

    change(by) {
        this.undo.push(this.state);
        if (this.undo.length > KEPT) this.undo.shift();
        this.state = by(this.state);
    }

    admit(bed, number) {
        const treatments = List([this.treatments[random(5000)].code, this.treatments[random(5000)].code]);
        const patient = Patient({ number, name: words(2), note: words(10), treatments });
        this.change((ward) => ward.setIn(['patients', number], patient).setIn(['beds', bed, 'patient'], number));
    }

    discharge(bed) {
        const number = this.state.getIn(['beds', bed, 'patient']);
        if (number === null) return;
        this.change((ward) => ward.deleteIn(['patients', number]).setIn(['beds', bed, 'patient'], null));
        this.change((ward) => ward.setIn(['beds', bed, 'cleanedAt'], random(1000000)));
    }
}

const BEDS = 6000;
const hospital = new Hospital(BEDS);
// The hospital is full at start.
for (let number = 0; number < BEDS; number++) hospital.admit(id('bed', number), id('patient', number));

twice(3000, (from, to) => {
    for (let number = from; number < to; number++) {
        const bed = id('bed', random(BEDS));
        hospital.discharge(bed);
        hospital.admit(bed, id('patient', BEDS + number));
    }
});
