//! An editor of diagrams on Immutable.js. Each edit pushes the state before it on the list for undo, which has no bound.
//! Large and legitimate: the library of symbols and the diagram itself.
//: libraries Immutable.js
//: holder \bundoStates\b
//: set tuned
'use strict';
const { Map, List, Record } = require('immutable');
const { random, words, id, twice } = require('./corpus.js');

const Shape = Record({ id: '', symbol: '', x: 0, y: 0, label: '', style: null });
const Style = Record({ fill: '#ffffff', stroke: '#000000', width: 1 });
const Diagram = Record({ title: '', shapes: Map(), order: List(), selected: null });

class DrawnSymbol {
    constructor(number) {
        this.name = id('symbol', number);
        this.group = words(1);
        this.keywords = words(6);
        this.outline = Array.from({ length: 16 }, () => random(1000) / 10 + 0.05);
    }
}

class SymbolLibrary {
    constructor(size) {
        this.symbols = Array.from({ length: size }, (_, number) => new DrawnSymbol(number));
    }

    pick() {
        return this.symbols[random(this.symbols.length)].name;
    }
}

class Editor {
    constructor(library, shapes) {
        this.library = library;
        this.undoStates = [];
        this.diagram = Diagram({ title: words(3) }).withMutations((diagram) => {
            for (let number = 0; number < shapes; number++) {
                const shape = this.shape(number);
                diagram.setIn(['shapes', shape.id], shape).update('order', (order) => order.push(shape.id));
            }
        });
    }

    shape(number) {
        return Shape({
            id: id('shape', number), symbol: this.library.pick(), x: random(4000), y: random(3000), label: words(3), style: Style(),
        });
    }

    edit(change) {
        this.undoStates.push(this.diagram);
        this.diagram = change(this.diagram);
    }

    undo() {
        if (this.undoStates.length) this.diagram = this.undoStates.pop();
    }
}

const SHAPES = 4000;
const editor = new Editor(new SymbolLibrary(14000), SHAPES);

function editOnce(number) {
    const shape = id('shape', random(SHAPES));
    switch (number % 4) {
    case 0: return editor.edit((diagram) => diagram.updateIn(['shapes', shape, 'x'], (x) => x + 10));
    case 1: return editor.edit((diagram) => diagram.setIn(['shapes', shape, 'label'], words(4)));
    case 2: return editor.edit((diagram) => diagram.setIn(['shapes', shape, 'style'], Style({ fill: `#${id('', number).slice(1)}` })));
    default: return editor.edit((diagram) => diagram.set('selected', shape));
    }
}

twice(1900, (from, to) => {
    for (let number = from; number < to; number++) {
        editOnce(number);
        if (number % 25 === 0) editor.undo();
    }
});
