//! A service whose meters have two readers, of which one is never read, with OpenTelemetry 1.15: what the other reads is kept for it in
//! `_unreportedAccumulations`. Large and legitimate: the shelves of the warehouse.
//: package @opentelemetry/sdk-metrics@1.15.0 @opentelemetry/api@1.4.1
//: fixed @opentelemetry/sdk-metrics@1.17.1 @opentelemetry/api@1.4.1
//: issue open-telemetry/opentelemetry-js#4115
//: libraries OpenTelemetry
//: holder _unreportedAccumulations
//: set tuned
'use strict';
const { MeterProvider, MetricReader } = require('@opentelemetry/sdk-metrics');
const { random, words, id, twice } = require('../../js/corpus.js');

/** A reader that is read when the program asks it. */
class ManualReader extends MetricReader {
    async onForceFlush() {}

    async onShutdown() {}
}

class Shelf {
    constructor(number) {
        this.code = id('shelf', number);
        this.article = words(3);
        this.pieces = random(500);
        this.supplier = { name: words(2), city: words(1) };
    }
}

class Warehouse {
    constructor(size) {
        this.shelves = Array.from({ length: size }, (_, number) => new Shelf(number));
        this.provider = new MeterProvider();
        this.reader = new ManualReader();
        this.provider.addMetricReader(this.reader);
        // Read when a page of the operators asks for it.
        this.provider.addMetricReader(new ManualReader());
        const meter = this.provider.getMeter('warehouse');
        this.taken = meter.createCounter('taken');
        this.duration = meter.createHistogram('duration');
    }

    take(number) {
        const shelf = this.shelves[random(this.shelves.length)];
        shelf.pieces--;
        this.taken.add(1, { hall: number % 12, shift: number % 3 });
        this.duration.record(random(1000), { hall: number % 12 });
    }
}

const warehouse = new Warehouse(9000);

twice(60, async (from, to) => {
    for (let number = from; number < to; number++) {
        for (let step = 0; step < 40; step++) warehouse.take(step + number);
        await warehouse.reader.collect();
    }
});
