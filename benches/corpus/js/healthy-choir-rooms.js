//! Healthy: rehearsal rooms on Express, with an lru-cache of answers by URL that has a bound and a time to live, and is full before the first snapshot. A request waits in a short
//! queue for its room. The rooms were loaded at start.
//: libraries Express, lru-cache
//: own \b(answers|rooms|bookings|waiting|keyList|valList|house)\b|LRUCache|House
//: set aside
'use strict';
const express = require('express');
const http = require('http');
const { once } = require('events');
const { LRUCache } = require('lru-cache');
const { random, words, id, twice } = require('./corpus.js');

class House {
    constructor() {
        this.rooms = new Map(Array.from({ length: 12000 }, (_, number) => [id('room', number), { name: words(2), seats: 8 + random(90), pianos: random(3), rules: [words(5), words(4)], bookings: [] }]));
        this.answers = new LRUCache({ max: 4000, ttl: 3600000 });
        for (let number = 0; number < 4000; number++) this.answers.set(`/rooms/old-${number}`, { room: words(2), text: words(12), seats: number });
    }

    show(url, number) {
        let answer = this.answers.get(url);
        if (!answer) {
            const room = this.rooms.get(number);
            room.bookings.push({ choir: words(2), hour: random(24) });
            if (room.bookings.length > 3) room.bookings.shift();
            answer = { room: room.name, text: words(12), seats: room.seats };
            this.answers.set(url, answer);
        }
        return answer;
    }
}

const house = new House();
for (const room of house.rooms.values()) while (room.bookings.length < 3) room.bookings.push({ choir: words(2), hour: random(24) });
const app = express();
app.get('/rooms/:number', (request, response) => response.json(house.show(request.url, request.params.number)));
const server = http.createServer(app);
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

function ask(path) {
    return new Promise((resolve, reject) => {
        http.get({ port: server.address().port, host: '127.0.0.1', path, agent }, (response) => {
            response.resume();
            response.on('end', resolve);
        }).on('error', reject);
    });
}

(async () => {
    server.keepAliveTimeout = 120000; // Longer than a snapshot takes.
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await twice(5000, async (from, to) => {
        for (let number = from; number < to; number += 8) {
            await Promise.all(Array.from({ length: Math.min(8, to - number) }, (_, at) => ask(`/rooms/${id('room', random(12000))}?day=${number + at}`)));
        }
    });
})();
