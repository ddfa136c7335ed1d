//! Quotes for parcels. A helper memoizes the calculation by its arguments as JSON, and never forgets: weights and addresses
//! hardly ever repeat. Large and legitimate: the tariffs and the zones of the carrier.
//: libraries Node.js
//: holder \bremembered\b
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

/** The function, with its answers kept by arguments. */
function memoize(calculate) {
    const remembered = new Map();
    return (...given) => {
        const key = JSON.stringify(given);
        let answer = remembered.get(key);
        if (answer === undefined) {
            answer = calculate(...given);
            remembered.set(key, answer);
        }
        return answer;
    };
}

class Tariff {
    constructor(number) {
        this.code = id('tariff', number);
        this.label = words(3);
        this.steps = Array.from({ length: 10 }, (_, at) => ({ upTo: (at + 1) * 500, price: 3.95 + at + random(100) / 100 }));
    }

    price(grams) {
        const step = this.steps.find(({ upTo }) => grams <= upTo);
        return (step || this.steps[9]).price;
    }
}

class Zone {
    constructor(number) {
        this.prefix = String(10000 + number);
        this.name = words(2);
        this.tariff = id('tariff', number % 4000);
    }
}

class Carrier {
    constructor() {
        this.tariffs = new Map(Array.from({ length: 4000 }, (_, number) => [id('tariff', number), new Tariff(number)]));
        this.zones = new Map(Array.from({ length: 25000 }, (_, number) => [String(10000 + number), new Zone(number)]));
    }
}

class Quote {
    constructor(zone, tariff, grams) {
        this.zone = zone;
        this.tariff = tariff.code;
        this.net = tariff.price(grams);
        this.lines = [
            { text: `carriage to ${zone.name}`, amount: this.net },
            { text: `fuel, ${words(2)}`, amount: this.net * 0.07 },
        ];
    }
}

const carrier = new Carrier();

const quote = memoize((address, grams) => {
    const zone = carrier.zones.get(address.postcode);
    return new Quote(zone, carrier.tariffs.get(zone.tariff), grams);
});

let total = 0;

twice(5600, (from, to) => {
    for (let number = from; number < to; number++) {
        const address = { street: `${random(300)} ${words(2)}`, city: words(1), postcode: String(10000 + random(25000)) };
        const grams = 100 + random(4900);
        total += quote(address, grams).net;
        // The basket is drawn twice.
        total += quote(address, grams).net;
    }
});
