//! A laundry on Express. An object that counts requests by ticket is used as a dictionary: a finished ticket is set to undefined instead of deleted, and what belongs to it
//! lies in a second dictionary by ticket that is never touched again. Beside it: the garments with their care texts, and the machines' programs.
//: libraries Express
//: holder \b(detailsByTicket|stateByTicket)\b
//: set aside
//: leak 4.1
'use strict';
const express = require('express');
const http = require('http');
const { once } = require('events');
const { random, words, id, twice } = require('./corpus.js');

class Laundry {
    constructor() {
        this.garments = Array.from({ length: 14000 }, (_, number) => ({ code: id('garment', number), name: words(2), care: words(9), cents: 200 + random(3000) }));
        this.programs = new Map(Array.from({ length: 900 }, (_, number) => [id('program', number), { degrees: 20 + random(70), minutes: Array.from({ length: 8 }, () => random(40)) }]));
        this.stateByTicket = {};
        this.detailsByTicket = {};
    }

    bring(ticket, body) {
        this.stateByTicket[ticket] = 'washing';
        this.detailsByTicket[ticket] = { customer: body.customer, note: body.note, garments: body.garments.map((at) => this.garments[at % 14000]), received: new Date(body.time) };
        return this.detailsByTicket[ticket].garments.reduce((sum, { cents }) => sum + cents, 0);
    }

    fetch(ticket) {
        const found = this.stateByTicket[ticket] === 'washing';
        this.stateByTicket[ticket] = undefined;
        return found;
    }
}

const laundry = new Laundry();
const app = express();
app.use(express.json());
app.post('/tickets/:ticket', (request, response) => response.json({ cents: laundry.bring(request.params.ticket, request.body) }));
app.delete('/tickets/:ticket', (request, response) => response.json({ found: laundry.fetch(request.params.ticket) }));
const server = http.createServer(app);
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

function ask(method, path, body) {
    return new Promise((resolve, reject) => {
        const request = http.request({ port: server.address().port, host: '127.0.0.1', method, path, agent, headers: { 'content-type': 'application/json' } }, (response) => {
            response.resume();
            response.on('end', resolve);
        });
        request.on('error', reject);
        request.end(body && JSON.stringify(body));
    });
}

(async () => {
    server.keepAliveTimeout = 120000; // Longer than a snapshot takes.
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await twice(4500, async (from, to) => {
        for (let number = from; number < to; number += 5) {
            const tickets = Array.from({ length: Math.min(5, to - number) }, (_, at) => `/tickets/${id('ticket', number + at)}`);
            await Promise.all(tickets.map((path) => ask('POST', path, { customer: words(2), note: words(9), garments: [random(14000), random(14000), random(14000)], time: 1.76e12 + number })));
            await Promise.all(tickets.map((path) => ask('DELETE', path)));
        }
    });
})();
