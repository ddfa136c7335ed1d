//! Healthy: a router with a tree of routes and counters with fixed labels, all of them made with the first requests; the exhibits were loaded at start.
//: libraries Node.js
//: own \b(root|counters|exhibits|museum|children)\b|Museum|RouteNode
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class RouteNode {
    constructor(segment) {
        this.segment = segment;
        this.children = new Map();
        this.handler = null;
    }
}

class Museum {
    constructor() {
        this.exhibits = Array.from({ length: 30000 }, (_, number) => ({ code: id('exhibit', number), title: words(3), year: 1200 + random(800), weight: random(900) + 0.5 }));
        this.root = new RouteNode('');
        this.counters = new Map();
        for (const room of Array.from({ length: 60 }, (_, number) => `room-${number}`)) {
            for (const part of Array.from({ length: 50 }, (_, number) => `wall-${number}`)) this.add(['museum', room, part], () => room);
        }
    }

    add(path, handler) {
        let node = this.root;
        for (const segment of path) {
            if (!node.children.has(segment)) node.children.set(segment, new RouteNode(segment));
            node = node.children.get(segment);
        }
        node.handler = handler;
    }

    visit(number) {
        const path = ['museum', `room-${number % 60}`, `wall-${random(50)}`];
        const label = `${path.join('/')} ${number % 3 ? 200 : 304}`;
        const counter = this.counters.get(label) || { label, count: 0, seconds: new Float64Array(8) };
        counter.count++;
        counter.seconds[number % 8] += 0.01;
        this.counters.set(label, counter);
    }
}

const museum = new Museum();
twice(60000, (from, to) => {
    for (let number = from; number < to; number++) museum.visit(number);
});
