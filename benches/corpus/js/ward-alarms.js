//! Alarms of wards on socket.io. Each alarm asks the station to acknowledge it, with a callback and no timeout. Some stations never answer, and
//! their callbacks stay at the socket. Beside it: patients, curves of the monitors in rings of typed arrays, and the shift's log, cut each hour.
//: libraries socket.io, ws
//: holder \backs\b
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const { Server } = require('socket.io');
const { WebSocket } = require('ws');
const { random, words, id, twice } = require('./corpus.js');

class Monitoring {
    constructor(io) {
        this.io = io;
        this.patients = Array.from({ length: 11000 }, (_, number) => ({ number: id('patient', number), name: words(2), bed: `bed ${number % 40}`, limits: { low: 40 + random(10), high: 110 + random(30) }, medicines: [words(2), words(2), words(2)] }));
        this.curves = Array.from({ length: 300 }, () => new Float32Array(2400));
        this.log = [];
    }

    alarm(number) {
        const patient = this.patients[random(11000)];
        const curve = this.curves[number % 300];
        curve.set(Float32Array.from({ length: 100 }, () => 60 + random(80)), (number % 24) * 100);
        const alarm = { number: id('alarm', number), bed: patient.bed, text: words(6), values: Array.from(curve.subarray(0, 20)), raised: new Date(1.767e12 + number * 1000) };
        const stations = [...this.io.sockets.sockets.values()];
        const station = stations[number % stations.length];
        station.emit('alarm', alarm.number, alarm.text, (nurse) => {
            patient.seen = `${nurse} ${alarm.number}`;
            alarm.acknowledged = true;
        });
        this.log.push(`${alarm.raised.toISOString()} ${patient.name}: ${alarm.text}`);
        if (this.log.length > 4000) this.log = this.log.slice(1000);
    }
}

const server = http.createServer();
const io = new Server(server, { transports: ['websocket'] });
const monitoring = new Monitoring(io);

/** A station of a ward: packets of socket.io over a plain WebSocket. Display boards only show the alarm. */
function station(port, isBoard) {
    return new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
        socket.on('error', reject);
        socket.on('message', (data) => {
            const packet = String(data);
            if (packet.startsWith('0')) socket.send('40');
            else if (packet.startsWith('40')) resolve();
            else if (packet === '2') socket.send('3');
            else if (packet.startsWith('42') && !isBoard) socket.send(`43${packet.slice(2).match(/^\d+/)[0]}${JSON.stringify([words(2)])}`);
        });
    });
}

(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    for (let number = 0; number < 12; number++) await station(server.address().port, number % 6 === 5);
    await twice(9000, async (from, to) => {
        for (let number = from; number < to; number++) {
            monitoring.alarm(number);
            if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        await new Promise((resolve) => setTimeout(resolve, 300));
    });
})();
