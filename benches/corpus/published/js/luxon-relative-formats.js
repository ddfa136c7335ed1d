//! A board of departures that says how far they are with Luxon 1.19: the base of `toRelativeCalendar` is part of the key of `intlRelCache`, so
//! each moment has a format of its own. Large and legitimate: the departures.
//: package luxon@1.19.3
//: fixed luxon@1.22.0
//: issue moment/luxon#600
//: libraries Luxon
//: holder intlRelCache
//: set tuned
'use strict';
const { DateTime } = require('luxon');
const { random, words, id, twice } = require('../../js/corpus.js');

class Departure {
    constructor(number) {
        this.code = id('departure', number);
        this.to = words(2);
        this.platform = 1 + random(20);
        this.at = 1764000000000 + number * 60000;
        this.stops = Array.from({ length: 3 }, () => ({ name: words(1), minutes: random(60) }));
    }
}

const departures = Array.from({ length: 3500 }, (_, number) => new Departure(number));
let text = 0;

function show(number) {
    const departure = departures[random(departures.length)];
    const now = DateTime.fromMillis(1764000000000 + number * 977);
    text += DateTime.fromMillis(departure.at).toRelativeCalendar({ base: now, locale: 'fi' }).length;
}

twice(2200, async (from, to) => {
    for (let number = from; number < to; number++) {
        show(number);
        if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
