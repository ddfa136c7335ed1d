//! A sketch book with Recoil 0.7.7. Each figure is an atom of a family. A figure that is deleted is reset, but its atom stays in the library's variables `nodes` and
//! `recoilValues`, and in the cache of the family. Large and legitimate: the templates, read at start.
//: package recoil@0.7.7 react@18.2.0 react-dom@18.2.0
//: issue facebookexperimental/Recoil#366
//: libraries Recoil
//: holder \b(nodes|recoilValues|atomCache)\b
//: set aside
'use strict';
const { atomFamily, snapshot_UNSTABLE } = require('recoil');
const { random, words, id, twice } = require('../../js/corpus.js');

const figures = atomFamily({ key: 'figure', default: (number) => ({ number, name: `figure ${number}`, points: [] }) });

class SketchBook {
    constructor() {
        this.templates = Array.from({ length: 16000 }, (_, number) => ({ code: id('template', number), title: words(3), outline: Array.from({ length: 8 }, () => random(9000) / 100 + 0.001), tags: [words(1), words(1)] }));
        this.drawn = 0;
    }

    draw(number) {
        const template = this.templates[random(16000)];
        const figure = figures(id('figure', number));
        const snapshot = snapshot_UNSTABLE(({ set }) => set(figure, { number, name: words(3), points: template.outline.map((value) => value + random(9)) }));
        this.drawn += snapshot.getLoadable(figure).contents.points.length;
        const cleared = snapshot.map(({ reset }) => reset(figure));
        this.drawn -= cleared.getLoadable(figure).contents.points.length;
    }
}

const book = new SketchBook();
twice(1500, async (from, to) => {
    for (let number = from; number < to; number++) {
        book.draw(number);
        if (number % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
});
