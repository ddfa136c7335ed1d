//! Healthy: pumps. The last log lines are in an array of fixed length that is written in a circle; the pumps and their curves were loaded at start.
//: libraries Node.js
//: own \b(lines|pumps|station)\b|Station
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Station {
    constructor(size) {
        this.lines = new Array(size).fill(null);
        this.at = 0;
        this.pumps = Array.from({ length: 12000 }, (_, number) => ({ serial: id('pump', number), place: words(2), curve: Array.from({ length: 12 }, () => random(900) + 0.5) }));
    }

    log(number) {
        const pump = this.pumps[number % this.pumps.length];
        this.lines[this.at] = { time: 1.7e12 + number * 40, pump: pump.serial, text: `Flow of ${pump.place}: ${words(5)} ${number}`, level: number % 9 ? 'info' : 'warning' };
        this.at = (this.at + 1) % this.lines.length;
    }
}

const station = new Station(8000);
twice(40000, (from, to) => {
    for (let number = from; number < to; number++) station.log(number);
});
