//! A reception desk with Backbone 1.1.2 opens a dialogue for each guest and waits for its end with `listenToOnce`. The handler is taken off, but `_listeningTo` of the desk
//! keeps the dialogue. Large and legitimate: the rooms, read at start.
//: package backbone@1.1.2 underscore@1.8.3
//: fixed backbone@1.2.3 underscore@1.8.3
//: issue jashkenas/backbone#3226
//: libraries Backbone
//: holder _listeningTo
//: set aside
'use strict';
const Backbone = require('backbone');
const { random, words, id, twice } = require('../../js/corpus.js');

const Dialogue = Backbone.Model.extend({
    defaults: () => ({ guest: words(2), wishes: [words(4), words(4)], nights: 1 + random(9) }),
});

const Reception = Backbone.Model.extend({
    initialize() {
        this.rooms = Array.from({ length: 12000 }, (_, number) => ({ number: id('room', number), house: words(2), beds: 1 + random(4), furniture: [words(2), words(2)] }));
        this.nights = 0;
    },
    receive(number) {
        const dialogue = new Dialogue({ number: id('stay', number), room: this.rooms[random(12000)] });
        this.listenToOnce(dialogue, 'closed', (nights) => {
            this.nights += nights;
        });
        dialogue.trigger('closed', dialogue.get('nights'));
    },
});

const reception = new Reception();
twice(5000, async (from, to) => {
    for (let number = from; number < to; number++) {
        reception.receive(number);
        if (number % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
