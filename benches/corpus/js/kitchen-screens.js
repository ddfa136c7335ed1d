//! Screens of a restaurant's kitchen hold one open answer of Express each. For each order that is written to a screen, a handler is attached with
//! on-finished, to take the order back if the screen breaks; it stays until then. Beside it: guests, the recipes, and orders in work, which come and go.
//: libraries Express, on-finished
//: holder __onFinished|\bqueue\b|\bscreens\b
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const express = require('express');
const onFinished = require('on-finished');
const { random, words, id, twice } = require('./corpus.js');

class Kitchen {
    constructor() {
        this.screens = [];
        this.recipes = new Map(Array.from({ length: 9000 }, (_, number) => [id('dish', number), { name: words(3), steps: Array.from({ length: 5 }, () => words(7)), allergens: [words(1)], minutes: random(50) }]));
        this.guests = new Map(Array.from({ length: 32000 }, (_, number) => [id('guest', number), { name: words(2), phone: String(random(1e9)), visits: 0, wishes: words(5) }]));
        this.inWork = new Map();
    }

    order(body) {
        const dishes = body.dishes.map((dish) => this.recipes.get(dish));
        this.guests.get(body.guest).visits++;
        const order = { number: body.number, table: body.table, wishes: body.wishes, dishes, lines: dishes.map((dish) => `${dish.name} (${dish.minutes})`) };
        this.inWork.set(order.number, order);
        if (this.inWork.size > 500) this.inWork.delete(this.inWork.keys().next().value);
        this.show(order);
        return order;
    }

    show(order) {
        const screen = this.screens[random(this.screens.length)];
        screen.write(`data: ${JSON.stringify(order.lines)}\n\n`);
        onFinished(screen, () => this.inWork.set(order.number, order));
    }
}

const kitchen = new Kitchen();
const app = express();
app.get('/screens/:name', (req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write(`: ${req.params.name}\n\n`);
    kitchen.screens.push(res);
});
app.post('/orders', express.json(), (req, res) => res.json({ number: kitchen.order(req.body).number }));

(async () => {
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    for (let screen = 0; screen < 4; screen++) {
        const [answer] = await once(http.get({ port, path: `/screens/${screen}`, agent: false }), 'response');
        answer.resume();
    }
    await twice(900, async (from, to) => {
        for (let number = from; number < to; number++) {
            const answer = await fetch(`http://127.0.0.1:${port}/orders`, {
                method: 'POST',
                headers: { 'Content-Type': 'application/json' },
                body: JSON.stringify({ number: id('order', number), guest: id('guest', random(20000)), table: number % 40, wishes: words(12), dishes: Array.from({ length: 5 }, () => id('dish', random(9000))) }),
            });
            await answer.json();
        }
    });
})();
