//! A checkout that starts and stops an XState 4.7.5 machine for each order: the registry of the library keeps the stopped interpreters in
//! its variable `children`. Large and legitimate: the articles.
//: package xstate@4.7.5
//: fixed xstate@4.7.7
//: issue statelyai/xstate#956
//: libraries XState
//: holder (registry|registry_1)\W.*children|\bchildren\b|idMap
//: set tuned
'use strict';
const { Machine, interpret, assign } = require('xstate');
const { random, words, id, twice } = require('../../js/corpus.js');

class Article {
    constructor(number) {
        this.code = id('article', number);
        this.title = words(4);
        this.stock = { shelf: words(1), pieces: random(400) };
        this.prices = [random(100), random(1000)];
    }
}

const articles = Array.from({ length: 14000 }, (_, number) => new Article(number));

const definition = {
    id: 'checkout',
    initial: 'basket',
    states: {
        basket: { on: { PAY: { target: 'paid', actions: 'pay' } } },
        paid: { on: { SHIP: 'shipped' } },
        shipped: { type: 'final' },
    },
};

function order(number) {
    const lines = Array.from({ length: 3 }, () => articles[random(articles.length)]);
    const machine = Machine(definition, { actions: { pay: assign({ paid: () => true }) } }, { order: id('order', number), buyer: words(2), lines });
    const service = interpret(machine).start();
    service.send('PAY');
    service.send('SHIP');
    service.stop();
    return service.state.value;
}

let shipped = 0;

twice(110, async (from, to) => {
    for (let number = from; number < to; number++) {
        if (order(number) === 'shipped') shipped++;
        await new Promise((resolve) => setImmediate(resolve));
    }
});
