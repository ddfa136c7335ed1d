//! Notices whose text is a template of its own, with Hogan.js 3: `Hogan.cache` keeps each template ever compiled. Large and legitimate: the members.
//: package hogan.js@3.0.2
//: issue twitter/hogan.js#239
//: libraries Hogan.js
//: holder Hogan\.cache
//: set tuned
'use strict';
const hogan = require('hogan.js');
const { random, words, id, twice } = require('../../js/corpus.js');

class Member {
    constructor(number) {
        this.code = id('member', number);
        this.name = words(2);
        this.club = { name: words(1), town: words(1) };
        this.dues = Array.from({ length: 3 }, () => random(100));
    }
}

class Notices {
    constructor(size) {
        this.members = new Map();
        for (let number = 0; number < size; number++) {
            const member = new Member(number);
            this.members.set(member.code, member);
        }
        this.bytes = 0;
    }

    send(code, number) {
        const member = this.members.get(code);
        const template = hogan.compile(`Notice ${number} of ${words(2)}: {{name}}, {{#club}}{{name}} in {{town}}{{/club}} ${words(5)}`);
        this.bytes += template.render(member).length;
    }
}

const notices = new Notices(9000);

twice(500, async (from, to) => {
    for (let number = from; number < to; number++) {
        notices.send(id('member', random(9000)), number);
        if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
