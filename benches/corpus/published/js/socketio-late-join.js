//! A chat that joins a room after a look-up, with Socket.IO 4.5.1: a socket that has left meanwhile joins all the same, and stays in `rooms` and
//! `sids` of the adapter. Large and legitimate: the members, read at start.
//: package socket.io@4.5.1 ws@8.2.3
//: fixed socket.io@4.5.2 ws@8.2.3
//: issue socketio/socket.io#4380
//: libraries Socket.IO
//: holder Adapter\.(rooms|sids)
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const { Server } = require('socket.io');
const WebSocket = require('ws');
const { random, words, id, twice } = require('../../js/corpus.js');

class Member {
    constructor(number) {
        this.code = id('member', number);
        this.name = words(2);
        this.profile = { text: words(6), town: words(1), since: 1600000000000 + random(100000000) };
    }
}

const members = new Map();
for (let number = 0; number < 9000; number++) {
    const member = new Member(number);
    members.set(member.code, member);
}

(async () => {
    const server = http.createServer();
    const io = new Server(server);
    io.on('connection', (socket) => {
        socket.on('enter', (number) => {
            // The look-up of the member takes longer than the visit.
            setTimeout(() => socket.join([`room-${number % 40}`, members.get(id('member', number % 9000)).code]), 30);
        });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `ws://127.0.0.1:${server.address().port}/socket.io/?EIO=4&transport=websocket`;

    /** A visit in the protocol of Engine.IO: open, connect, one event, close. */
    async function visit(number) {
        const socket = new WebSocket(address);
        await once(socket, 'open');
        socket.send('40');
        await once(socket, 'message');
        socket.send(`42["enter",${number}]`);
        await new Promise((resolve) => setTimeout(resolve, 2));
        socket.terminate();
        await once(socket, 'close');
    }

    await twice(700, async (from, to) => {
        for (let number = from; number < to; number++) await visit(number);
        await new Promise((resolve) => setTimeout(resolve, 200));
    });
})();
