//! Sensors on a glacier send over ws and wait for their calibration. Each message starts a timeout that would drop it, and that is stored with the message by its number; the
//! answer clears the timeout, but leaves the entry. Beside it: the sensors with their calibrations in typed arrays, and the last curves in a ring.
//: libraries ws
//: holder \bpending\b
//: set aside
//: leak 14.7
'use strict';
const { WebSocketServer, WebSocket } = require('ws');
const { once } = require('events');
const { random, words, id, twice } = require('./corpus.js');

class Station {
    constructor() {
        this.sensors = Array.from({ length: 3500 }, (_, number) => ({ code: id('sensor', number), place: words(4), note: words(10), calibration: Float64Array.from({ length: 40 }, () => random(9000) / 100) }));
        this.curves = Array.from({ length: 2000 }, () => null);
        this.pending = new Map();
        this.done = 0;
    }

    send(socket, number) {
        const message = { id: number, sensor: this.sensors[random(3500)].code, text: words(6), metres: Array.from({ length: 14 }, () => random(90000) / 1000 + 0.0001) };
        return new Promise((resolve) => {
            const timer = setTimeout(() => this.pending.delete(number), 120000);
            this.pending.set(number, { message, timer, resolve, sent: new Date() });
            socket.send(JSON.stringify(message));
        });
    }

    answer(data) {
        const { id: number, factor } = JSON.parse(data);
        const { message, timer, resolve } = this.pending.get(number);
        clearTimeout(timer);
        this.curves[number % this.curves.length] = message.metres.map((value) => value * factor);
        this.done++;
        resolve();
    }
}

(async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    server.on('connection', (socket) => socket.on('message', (data) => {
        const { id: number, metres } = JSON.parse(String(data));
        socket.send(JSON.stringify({ id: number, factor: 1 + metres[0] / 1e5 }));
    }));
    const station = new Station();
    const sockets = await Promise.all(Array.from({ length: 6 }, async () => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
        await once(socket, 'open');
        socket.on('message', (data) => station.answer(String(data)));
        return socket;
    }));
    await twice(9000, async (from, to) => {
        for (let number = from; number < to; number += 6) {
            await Promise.all(sockets.slice(0, to - number).map((socket, at) => station.send(socket, number + at)));
        }
    });
})();
