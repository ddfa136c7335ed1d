//! Healthy: a chat over ws. A client leaves its room when its socket closes; a room keeps its last 100 messages, and all rooms
//! are full before the first visit. Large: the rooms with their messages, the filter of words, the members.
//: libraries ws
//: own \b(rooms|messages|members|patterns)\b|Room|Chat
//: set tuned
'use strict';
const { once } = require('events');
const { WebSocket, WebSocketServer } = require('ws');
const { random, words, id, twice } = require('./corpus.js');

const KEPT = 100;

class Message {
    constructor(author, text) {
        this.author = author;
        this.text = text;
        this.at = 1764000000000 + random(86400000);
    }
}

class Room {
    constructor(name) {
        this.name = name;
        this.sockets = new Set();
        this.messages = Array.from({ length: KEPT }, () => new Message(id('member', random(6000)), words(8)));
    }

    post(message) {
        this.messages.push(message);
        if (this.messages.length > KEPT) this.messages.shift();
        for (const socket of this.sockets) socket.send(JSON.stringify(message));
    }
}

class Chat {
    constructor() {
        this.rooms = new Map(Array.from({ length: 80 }, (_, number) => [id('room', number), new Room(id('room', number))]));
        this.members = new Map(Array.from({ length: 6000 }, (_, number) => [
            id('member', number), { name: words(2), about: words(10), joined: 2010 + number % 16 },
        ]));
        this.patterns = Array.from({ length: 1500 }, (_, number) => new RegExp(`\\b${words(1)}${number}\\b`, 'i'));
    }

    allowed(text) {
        return !this.patterns.some((pattern) => pattern.test(text));
    }

    join(socket, name) {
        const room = this.rooms.get(name);
        room.sockets.add(socket);
        socket.on('close', () => room.sockets.delete(socket));
        return room;
    }
}

const chat = new Chat();

async function talk(port, number) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${id('room', number % 80)}?member=${id('member', number)}`);
    await once(socket, 'open');
    for (let at = 0; at < 3; at++) {
        socket.send(words(7));
        await once(socket, 'message');
    }
    socket.close();
    await once(socket, 'close');
}

(async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    server.on('connection', (socket, request) => {
        const url = new URL(request.url, 'ws://chat.example');
        const room = chat.join(socket, url.pathname.slice(1));
        const author = url.searchParams.get('member');
        socket.on('message', (data) => {
            const text = String(data);
            if (chat.allowed(text)) room.post(new Message(author, text));
        });
    });
    await twice(400, async (from, to) => {
        for (let number = from; number < to; number++) await talk(server.address().port, number);
        await new Promise((resolve) => setTimeout(resolve, 200));
    });
})();
