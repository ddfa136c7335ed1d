//! A drawing board whose shapes have events of their own, with eve 0.4.2: `off` empties the branches of the tree and leaves them there.
//! Large and legitimate: the shapes on the board.
//: package eve@0.4.2
//: issue adobe-webplatform/eve#26
//: libraries eve
//: holder \bevents\b|_events
//: set tuned
'use strict';
const eve = require('eve');
const { random, words, id, twice } = require('../../js/corpus.js');

class Shape {
    constructor(number) {
        this.code = id('shape', number);
        this.kind = ['circle', 'path', 'text'][number % 3];
        this.box = { x: random(2000), y: random(2000), width: random(300), height: random(300) };
        this.style = { fill: words(1), stroke: words(1), label: words(2) };
    }
}

class Board {
    constructor(size) {
        this.shapes = Array.from({ length: size }, (_, number) => new Shape(number));
        this.moved = 0;
    }

    /** A drag has events of its own, from its begin to its end. */
    drag(number) {
        const shape = this.shapes[random(this.shapes.length)];
        const name = `drag.${id('gesture', number)}`;
        const move = (dx) => {
            shape.box.x += dx;
            this.moved++;
        };
        eve.on(`${name}.move`, move);
        eve(`${name}.move`, this, random(9));
        eve.off(`${name}.move`, move);
    }
}

const board = new Board(10000);

twice(3500, async (from, to) => {
    for (let number = from; number < to; number++) {
        board.drag(number);
        if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
