//! Calls over a bus that answers on an event of its own for each call, with EventEmitter2 0.4 and wildcards: the branches of
//! `listenerTree` stay when the listener is removed.
//: package eventemitter2@0.4.13
//: fixed eventemitter2@6.4.9
//: issue EventEmitter2/EventEmitter2#65
//: libraries EventEmitter2
//: holder (EventEmitter2?|EventEmitter)\.listenerTree|listenerTree
//: set tuned
'use strict';
const { EventEmitter2 } = require('eventemitter2');
const { random, words, id, twice } = require('../../js/corpus.js');

const bus = new EventEmitter2({ wildcard: true, delimiter: '.', maxListeners: 100 });
const prices = Array.from({ length: 3000 }, (_, number) => ({ article: id('article', number), name: words(3), price: random(10000) / 100 }));

bus.on('price.request', (answer, article) => {
    bus.emit(answer, prices[article]);
});

/** Asks for a price; the answer comes on an event with the number of the call. */
function ask(number, article) {
    return new Promise((resolve) => {
        const answer = ['price', 'answer', id('call', number)];
        bus.once(answer, (price) => resolve(price));
        bus.emit('price.request', answer, article);
    });
}

let sum = 0;

twice(9000, async (from, to) => {
    for (let number = from; number < to; number++) {
        const { price } = await ask(number, random(3000));
        sum += price;
    }
});
