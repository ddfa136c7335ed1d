//! A desk of support that looks each ticket up by its object in an observable map of MobX 5.10: the map keeps each key ever asked for in
//! `_hasMap`, even when the entry was deleted. Large and legitimate: the articles of the handbook.
//: package mobx@5.10.1
//: fixed mobx@5.15.7
//: issue mobxjs/mobx#2031
//: libraries MobX
//: holder _hasMap
//: set tuned
'use strict';
const { observable, autorun, runInAction } = require('mobx');
const { random, words, id, twice } = require('../../js/corpus.js');

class Article {
    constructor(number) {
        this.code = id('article', number);
        this.title = words(4);
        this.text = words(20);
        this.links = [random(9000), random(9000)];
    }
}

class Ticket {
    constructor(number) {
        this.code = id('ticket', number);
        this.subject = words(5);
        this.messages = Array.from({ length: 3 }, () => ({ from: words(2), text: words(6) }));
    }
}

class Desk {
    constructor(size) {
        this.handbook = Array.from({ length: size }, (_, number) => new Article(number));
        this.open = observable.map(new Map(), { deep: false });
        this.shown = 0;
    }

    work(number) {
        const ticket = new Ticket(number);
        runInAction(() => this.open.set(ticket, this.handbook[random(this.handbook.length)]));
        const stop = autorun(() => {
            if (this.open.has(ticket)) this.shown++;
        });
        stop();
        runInAction(() => this.open.delete(ticket));
    }
}

const desk = new Desk(5000);

twice(900, async (from, to) => {
    for (let number = from; number < to; number++) {
        desk.work(number);
        if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
