//! The map of a tour operator on socket.io. Each tour has a namespace that a pattern creates at the first connection, and the option that removes
//! empty namespaces is not set. Large and legitimate: the sights with their texts, and the guides.
//: libraries socket.io, ws
//: holder \b_nsps\b|\bchildren\b|ParentNamespace|\btours\b
//: set tuned
//: leak 1.2
'use strict';
const { once } = require('events');
const http = require('http');
const { Server } = require('socket.io');
const { WebSocket } = require('ws');
const { random, words, id, twice } = require('./corpus.js');

class Sight {
    constructor(number) {
        this.code = id('sight', number);
        this.name = words(3);
        this.place = [47 + random(100000) / 100001, 8 + random(100000) / 100001];
        this.texts = Object.fromEntries(['en', 'de', 'fr'].map((language) => [language, words(16)]));
        this.tags = words(4).split(' ');
    }
}

class Guide {
    constructor(number) {
        this.number = id('guide', number);
        this.name = words(2);
        this.languages = ['en', 'de', 'fr', 'it'].slice(0, 1 + (number % 4));
        this.phone = `+41 44 ${100 + random(900)} ${1000 + random(9000)}`;
    }
}

class Atlas {
    constructor(sights, guides) {
        this.sights = new Map(Array.from({ length: sights }, (_, number) => [id('sight', number), new Sight(number)]));
        this.guides = Array.from({ length: guides }, (_, number) => new Guide(number));
    }

    near(number) {
        return Array.from({ length: 5 }, (_, at) => this.sights.get(id('sight', (number * 13 + at) % this.sights.size)).name);
    }
}

const atlas = new Atlas(9000, 4000);
const server = http.createServer();
const io = new Server(server, { serveClient: false });
const tours = io.of(/^\/tour-[0-9a-f]{6}$/);
tours.on('connection', (socket) => {
    socket.on('where', (number, done) => {
        socket.nsp.emit('guide', atlas.guides[number % atlas.guides.length].name);
        done(atlas.near(number));
    });
});

/** A guest of a tour: the packets of socket.io over a plain WebSocket. */
function join(port, number) {
    return new Promise((resolve, reject) => {
        const tour = `/${id('tour', number)}`;
        const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
        socket.on('error', reject);
        socket.on('close', resolve);
        socket.on('message', (data) => {
            const packet = String(data);
            if (packet.startsWith('0')) socket.send(`40${tour},`);
            else if (packet.startsWith(`40${tour},`)) socket.send(`42${tour},1${JSON.stringify(['where', number])}`);
            else if (packet.startsWith(`43${tour},1`)) socket.close();
        });
    });
}

(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    await twice(450, async (from, to) => {
        for (let number = from; number < to; number++) await join(port, number);
        await new Promise((resolve) => setTimeout(resolve, 300));
    });
})();
