//! Healthy: quays of a harbour on socket.io. Boards join the rooms of their quays and leave them; each room keeps its last messages, up to a number, and all are full before the
//! first snapshot. The ships were loaded at start.
//: libraries socket.io, ws
//: own \b(ships|quays|messages|rooms|sids|harbour)\b|Harbour
//: set aside
'use strict';
const http = require('http');
const { once } = require('events');
const { Server } = require('socket.io');
const { WebSocket } = require('ws');
const { random, words, id, twice } = require('./corpus.js');

class Harbour {
    constructor(io) {
        this.io = io;
        this.ships = Array.from({ length: 14000 }, (_, number) => ({ imo: id('ship', number), name: words(2), flag: words(1), metres: 40 + random(300), cargo: [words(2), words(2)] }));
        this.quays = Array.from({ length: 120 }, (_, number) => ({ code: id('quay', number), messages: Array.from({ length: 60 }, () => this.message(0)) }));
    }

    message(number) {
        return { ship: this.ships[random(14000)], text: words(7), minute: number, depths: [random(90) / 10, random(90) / 10] };
    }

    async report(number) {
        const quay = this.quays[random(120)];
        quay.messages.push(this.message(number));
        if (quay.messages.length > 60) quay.messages.shift();
        for (const socket of this.io.sockets.sockets.values()) {
            if (random(3) === 0) await socket.join(quay.code);
            else await socket.leave(quay.code);
        }
        this.io.to(quay.code).emit('report', quay.messages.at(-1).text);
    }
}

(async () => {
    const server = http.createServer();
    const io = new Server(server, { transports: ['websocket'] });
    const harbour = new Harbour(io);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    for (let number = 0; number < 5; number++) {
        const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}/socket.io/?EIO=4&transport=websocket`);
        await new Promise((resolve, reject) => {
            socket.on('error', reject);
            socket.on('message', (data) => {
                const packet = String(data);
                if (packet.startsWith('0')) socket.send('40');
                else if (packet.startsWith('40')) resolve();
                else if (packet === '2') socket.send('3');
            });
        });
    }
    await twice(6000, async (from, to) => {
        for (let number = from; number < to; number++) {
            await harbour.report(number);
            if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        await new Promise((resolve) => setTimeout(resolve, 300));
    });
})();
