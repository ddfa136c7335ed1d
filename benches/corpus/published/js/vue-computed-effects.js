//! Price labels with Vue 3.0's reactivity outside of components: each computed value that was dropped stays in the set of effects of the
//! setting that it read, below the library's `targetMap`. Large and legitimate: the offers.
//: package @vue/reactivity@3.0.0
//: issue vuejs/core#2261
//: libraries Vue
//: holder targetMap|settings|depsMap
//: set tuned
'use strict';
const { reactive, computed } = require('@vue/reactivity');
const { random, words, id, twice } = require('../../js/corpus.js');

class Offer {
    constructor(number) {
        this.code = id('offer', number);
        this.title = words(4);
        this.price = random(100000) / 100;
        this.shop = { name: words(2), city: words(1) };
    }
}

class PriceList {
    constructor(size) {
        this.offers = Array.from({ length: size }, (_, number) => new Offer(number));
        this.settings = reactive({ currency: 'EUR', rate: 1.0, tax: 0.2 });
    }

    /** A label that follows the settings as long as it is shown. */
    label(offer, reader) {
        return computed(() => `${reader}: ${(offer.price * this.settings.rate * (1 + this.settings.tax)).toFixed(2)} ${this.settings.currency}`);
    }
}

const list = new PriceList(11000);
let shown = 0;

twice(2600, async (from, to) => {
    for (let number = from; number < to; number++) {
        const label = list.label(list.offers[random(11000)], id('reader', number));
        shown += label.value.length;
        if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
