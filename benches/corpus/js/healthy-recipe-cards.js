//! Healthy: recipes. The old lru-cache 6 keeps as many cards as its `max` allows and is full; the pantry was loaded at start.
//: libraries lru-cache 6
//: own \b(cards|pantry|kitchen)\b|LRUCache|Yallist|Kitchen
//: set tuned
'use strict';
const LRU = require('lru-cache-6');
const { random, words, id, twice } = require('./corpus.js');

class Ingredient {
    constructor(number) {
        this.code = id('ingredient', number);
        this.name = words(2);
        this.energy = random(900) + 0.5;
    }
}

class Card {
    constructor(recipe, guests) {
        this.recipe = recipe;
        this.guests = guests;
        this.steps = Array.from({ length: 6 }, () => words(9));
    }
}

class Kitchen {
    constructor() {
        this.pantry = Array.from({ length: 40000 }, (_, number) => new Ingredient(number));
        this.cards = new LRU({ max: 1500 });
    }

    card(number) {
        const key = `${this.pantry[number % this.pantry.length].code}/${number}`;
        let card = this.cards.get(key);
        if (!card) this.cards.set(key, (card = new Card(key, 1 + (number % 12))));
        return card;
    }
}

const kitchen = new Kitchen();
twice(9000, (from, to) => {
    for (let number = from; number < to; number++) kitchen.card(number);
});
