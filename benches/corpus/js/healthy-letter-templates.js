//! Healthy: letters from templates. Each template is compiled at its first use, so all are compiled after the first minutes; names of columns are interned.
//! The addresses were loaded at start.
//: libraries Node.js
//: own \b(compiled|names|addresses|office)\b|Office
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Office {
    constructor() {
        this.addresses = Array.from({ length: 30000 }, (_, number) => ({ code: id('address', number), street: words(2), town: words(1), number: random(200) }));
        this.sources = Array.from({ length: 900 }, (_, number) => `Dear {name}, ${words(30)} {town} ${number}`);
        this.compiled = new Map();
        this.names = new Map();
    }

    template(number) {
        const source = this.sources[number % this.sources.length];
        if (!this.compiled.has(source)) {
            const parts = source.split(/[{}]/).map((text, at) => (at % 2 ? { kind: 'name', name: this.intern(text) } : { kind: 'text', text, words: text.split(' ') }));
            this.compiled.set(source, { source, parts });
        }
        return this.compiled.get(source);
    }

    intern(text) {
        if (!this.names.has(text)) this.names.set(text, text);
        return this.names.get(text);
    }
}

const office = new Office();
let length = 0;
twice(20000, (from, to) => {
    for (let number = from; number < to; number++) {
        const address = office.addresses[random(30000)];
        length += office.template(number).parts.map((part) => (part.kind === 'text' ? part.text : address.town)).join('').length;
    }
});
