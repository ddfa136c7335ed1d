//! A network of weather stations writes each report to an archive stream in object mode. The result of write is ignored, and the disk is slower
//! than the stations: reports wait in the buffer of the stream. Large and legitimate: the stations with their calibrations.
//: libraries Node.js
//: holder \bbuffered\b|_writableState|WritableState|\barchive\b
//: set tuned
'use strict';
const { setTimeout: sleep, setImmediate: turn } = require('timers/promises');
const { Writable } = require('stream');
const { random, words, id, twice } = require('./corpus.js');

class Station {
    constructor(number) {
        this.code = id('station', number);
        this.place = words(3);
        this.height = random(3000);
        this.calibration = Array.from({ length: 20 }, () => 0.9 + random(20000) / 100001);
        this.visits = Array.from({ length: 3 }, (_, at) => ({ year: 2023 + at, technician: words(2), remark: words(7) }));
    }

    report(number) {
        return {
            station: this.code,
            at: 1795500000 + number,
            celsius: (random(400) - 100) * this.calibration[number % 20],
            wind: { metres: random(30), from: 'NESW'[random(4)] },
            clouds: words(5),
        };
    }
}

class StationNetwork {
    constructor(size) {
        this.stations = Array.from({ length: size }, (_, number) => new Station(number));
        this.latest = new Map();
    }
}

/** Lines of reports on a slow disk. */
class ReportArchive extends Writable {
    constructor() {
        super({ objectMode: true, highWaterMark: 64 });
        this.written = 0;
    }

    async _write(report, encoding, done) {
        await sleep(15);
        this.written += JSON.stringify(report).length;
        done();
    }
}

const network = new StationNetwork(9000);
const archive = new ReportArchive();

twice(1100, async (from, to) => {
    for (let number = from; number < to; number++) {
        const station = network.stations[random(network.stations.length)];
        const report = station.report(number);
        network.latest.set(number % 500, report.celsius);
        archive.write(report);
        if (number % 50 === 0) await turn();
    }
});
